"""Chat in full words: "nah, lets go w/ pg" is "nah, let's go with pg" before the grammar reads it."""

from __future__ import annotations

import re
from functools import lru_cache

from distill.vocabulary import KINDS, SUBJECTS

_NEGATED = "do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should"
_WRITTEN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (r"\bw/o(?=\s)", "without"),
        (r"\bw/\s*(?=\w)", "with "),
        (r"\b(?:b/c|cuz|coz)\b", "because"),
        (rf"\b({_NEGATED})nt\b", r"\1n't"),
        (r"(?<![\w/.-])(?:pls|plz|pleas)(?![\w/-])", "please"),
        (r"((?:^|[,;:.!]\s|\b(?:ok|okay|no|nah|yes|yeah|so|then|and)\s))lets(?= [a-z]+)", r"\1let's"),
        (
            r"((?:^|[,;:.!]\s))were(?= (?:using|on|at|going|running|moving|switching|back|keeping)\b)",
            r"\1we're",
        ),
        (r"\b(that|what|there|it)s(?= (?:now|the|a|an|not|our|on|your|been|back)\b)", r"\1's"),
        (r"\b(we|they)ve\b", r"\1've"),
        (r"\bim(?= )", "I'm"),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
        (r"\bteh\b", "the"),
        (r"\b(?:is|use)t\b", "is"),
        (r"\s*,?(?<![\w/.-])(?:atm|rn|tbh|fwiw|lol|haha|thx)(?![\w/.-])", ""),
        (r"\s+([,.])(?=\s|$)", r"\1"),
    )
)
_WORD = re.compile(r"(?<![\w/.@#-])[A-Za-z]?[a-z]{4,}(?![\w/@#-])")
# Words of their own that a slip of the fingers would make of one of ours.
_REAL = {"liner", "loner", "hosing", "sever", "stared", "casing", "untied", "fromat", "hooting", "routing"}
_VERBS = (
    "switched switching moved migrated migrating replaced replacing instead changed deployed deploying production "
    "staging currently renamed upgraded longer because should always never using stored running listens"
)
SHORTEST = 5


def _slips(word: str) -> set[str]:
    """What comes out when two letters change places, one is left out, or one is struck twice; the ends stay."""
    swapped = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(1, len(word) - 1)}
    missing = {word[:i] + word[i + 1 :] for i in range(1, len(word) - 1) if len(word) > SHORTEST + 1}
    doubled = {word[:i] + word[i] + word[i:] for i in range(1, len(word))}
    return swapped | missing | doubled


def _lexicon() -> dict[str, str]:
    roles = {word for name in (*KINDS, *SUBJECTS) for word in name.split()}
    known = {word for word in (*roles, *_VERBS.split()) if len(word) >= SHORTEST and word.isalpha()}
    names = {name for entries in KINDS.values() for name in entries}
    slips: dict[str, str] = {}
    for word in sorted(known):
        for slip in _slips(word) - known - names - _REAL:
            slips.setdefault(slip, word)
    return slips


_SLIPS = _lexicon()


@lru_cache(maxsize=2048)
def in_full(text: str) -> str:
    """Return ``text`` with chat's short forms written out and plain slips in our own words put right."""
    for pattern, full in _WRITTEN:
        text = pattern.sub(full, text)
    return _WORD.sub(_righted, text).strip()


def _righted(match: re.Match[str]) -> str:
    word = match[0]
    right = _SLIPS.get(word.lower())
    if right is None:
        return word
    return right[:1].upper() + right[1:] if word[0].isupper() else right
