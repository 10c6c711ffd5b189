"""A sentence that fits no pattern, read against what stands: which facts it says have changed, and to what.

Where it tells both that a value is left and what comes instead, or names the subject of a fact with a new value of the
same kind, that is a change like any other. Where only the one half is clear, the fact is in doubt: it stands, but
whoever reads it is told what was said, and a person decides. Nothing ends by a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache

from distill.arrivals import CHANGES, arrived, rivals, told_of
from distill.departures import MARK, leaves
from distill.shapes import is_date, is_quantity, is_region, is_version
from distill.slots import RULE, VERSION, canonical, kind_of, label
from distill.values import kind_of_value, same, split_version, tidy
from distill.vocabulary import CANONICAL, KINDS
from schema.records import Cardinality, Proposal, Slot

Held = Mapping[tuple[Slot, str], tuple[str, Cardinality]]
OWNER = "owner"
ONE_SENTENCE = timedelta(microseconds=16)
MOST_WORDS = 4  # of a subject
_ENVIRONMENT = re.compile(
    r"\b(?:production|prod|staging|qa|sandbox|dev|development|ci|previews?|locally|demos?|benchmarks?|"
    r"(?:in|for|of|under) (?:the |our |all |unit |integration |acceptance )*tests?)\b",
    re.IGNORECASE,
)
_PLACES = {"prod": "production", "dev": "development", "test": "tests"}
# Names of products that are words of their own: only as they were written.
_WORDS = re.compile(
    r"solid|fiber|express|next|go|echo|chi|gin|rocket|remix|atlas|temporal|render|railway|fly|drone|composer|bun|black|"
    r"spring|phoenix|swift|dart|elastic|rabbit|shell|nest|bull|native|active|make|c|rest|less|sass|ray|dash|marble"
)

_BEFORE_SUBJECT = re.compile(
    r"^(?:(?:so|and|btw|fyi|heads up|note|update|now|ok|okay|the|our)\b[,:]? )+", re.IGNORECASE
)
_BECOMES = re.compile(
    rf"(?:has|have|had|been|just|finally|now|all|recently|\W)*\s*\b(?:is|are|was|were|be|runs on|lives in|{CHANGES})\b",
    re.IGNORECASE,
)
# Words after which a name begins.
_OPENS = re.compile(
    r"[.,;:]|the|our|an?|this|that|my|your|their|its|all|new|main|primary|whole|entire|for|of|in|on|to|with|by|and|or|but|so|"
    r"as|at|from|now|is|are|was|were|has|have|had|into|onto|about|not|no|we|it|do|does|did|gets?|got|than|since|last|every|"
    r"past|production|prod|staging|gave|give|handles?|runs?|carries|powers?|hosts?|serves?|sends?|collects?|signs?|stores?|builds?|draws?|holds?|keeps?|takes?|took|"
    rf"{CHANGES}",
    re.IGNORECASE,
)


def understood(
    proposal: Proposal, held: Held, touched: Mapping[tuple[Slot, str], datetime]
) -> tuple[Proposal, ...]:
    """Return what ``proposal``, which holds a sentence alone, says of the facts in ``held``.

    ``touched`` tells when each was last stated or ended: what the patterns made of the same sentence goes before.
    """
    text = " ".join(proposal.told.split())
    aside = any(
        _just(at, proposal.valid_from) for at in touched.values()
    )  # read already: the rest is a side of it
    open_ = {
        key: pair
        for key, pair in held.items()
        if key[0].attribute != RULE
        and not _just(touched.get(key), proposal.valid_from)
        and _same_place(text, key[0].scope)
    }
    subjects = _subjects(text)
    others = _parts(text) - subjects
    lower = text.lower()
    open_ = {k: pair for k, pair in open_.items() if k[0].subject not in others or k[0].subject not in lower}
    left = [
        (key, pair, marked)
        for key, pair in open_.items()
        if (marked := _left(text, key[0], pair[0], subjects))
    ]
    if left:
        about = [one for one in left if one[0][0].subject in subjects] or left
        alone = len(about) == 1 and not aside and not proposal.given_up
        return tuple(_changed(proposal, key, pair, marked, alone=alone) for key, pair, marked in about)
    renewed = [
        said
        for (slot, own), (value, _) in open_.items()
        if not own and (said := _renewed(proposal, text, slot, value, subjects, aside=aside))
    ]
    return tuple(renewed) if len(renewed) == 1 else ()


def technologies(text: str) -> set[str]:
    """Return the known technologies that ``text`` names."""
    return {name for kind in KINDS for name in rivals(text, kind)}


def _just(at: datetime | None, now: datetime) -> bool:
    return at is not None and now - ONE_SENTENCE < at <= now


def _same_place(text: str, scope: str) -> bool:
    """Whether the sentence speaks of where the fact holds: of no place, or of that one."""
    found = (word.lower().split()[-1] for word in _ENVIRONMENT.findall(text))
    named = {_PLACES.get(word, word) for word in found}
    return not named or scope in named


def _subjects(text: str) -> set[str]:
    """Every subject that some words of the sentence name, not as a part of a longer name ("the analytics database")."""
    plain = re.sub(r"\b(\w+) (?:for|of) (?:the |our )?(\w+)", r"\g<0> . \2 \1", text.replace("’", "'"))
    words = re.findall(r"[\w+#.-]*[\w+#]|[.,;:]", plain.replace("'s", ""))
    return {
        canonical(" ".join(words[start : start + length]))
        for length in range(1, MOST_WORDS + 1)
        for start in range(len(words) - length + 1)
        if start == 0 or _OPENS.fullmatch(words[start - 1])
    }


def _parts(text: str) -> set[str]:
    """What ends a longer name, however it begins: "database" of "the analytics database"."""
    for name in technologies(text):
        text = re.sub(re.escape(name), ",", text, flags=re.IGNORECASE)
    words = re.findall(r"[\w+#.-]*[\w+#]|[.,;:]", text)
    return {
        canonical(" ".join(words[start : start + length]))
        for length in range(1, MOST_WORDS)
        for start in range(1, len(words) - length + 1)
        if not _OPENS.fullmatch(words[start - 1])
    }


def _left(text: str, slot: Slot, value: str, subjects: Collection[str]) -> str:
    """The sentence with MARK for ``value``, where it says that the value is left; else ''."""
    if _needs_subject(slot, value) and not any(canonical(word) in subjects for word in slot.subject.split()):
        return ""
    marked = _marked(text, slot, value)
    if MARK not in marked:
        return ""
    of = rf"(?<={MARK}) (?:for|in|on|of|from) (?:the |our )?{re.escape(slot.subject)}s?\b"
    marked = re.sub(of, "", marked, flags=re.IGNORECASE)
    return marked if leaves(marked) else ""


def _needs_subject(slot: Slot, value: str) -> bool:
    """Numbers and people stand for many things: which one, only its name beside it tells."""
    return slot.attribute == OWNER or is_quantity(value) or is_version(value)


def _marked(text: str, slot: Slot, value: str) -> str:
    lower = text.lower()
    if not any(spelling.lower() in lower for spelling in _spellings(value)):
        return text  # most facts: no pattern is made for what cannot match
    pattern, exact = _named(slot, value), bool(_WORDS.fullmatch(value.lower()))
    return re.sub(pattern, MARK, text, flags=0 if exact else re.IGNORECASE)


@lru_cache(maxsize=4096)
def _spellings(value: str) -> tuple[str, ...]:
    """The ways to write a value, the longest first."""
    name, version = split_version(value)
    spellings = {tidy(value), tidy(value).lower()}
    if not version:
        spellings |= {name, *(other for other, known in CANONICAL.items() if known == name)}
    return tuple(sorted((s for s in spellings if s and (len(s) > 1 or s.isdigit())), key=len, reverse=True))


def _named(slot: Slot, value: str) -> str:
    written = _spellings(value)
    before = rf"(?:{re.escape(slot.subject)} )?v?" if slot.attribute == VERSION else ""
    return (
        rf"(?<![\w./@-]){before}(?:{'|'.join(map(re.escape, written))})(?![\w@]|[./-]\w)"
        if written
        else r"(?!)"
    )


def _changed(
    proposal: Proposal, key: tuple[Slot, str], pair: tuple[str, Cardinality], marked: str, *, alone: bool
) -> Proposal:
    (slot, own), (value, cardinality) = key, pair
    new = None if own or not alone else arrived(marked, value, person=slot.attribute == OWNER)
    if new is None:
        return _doubt(proposal, slot, cardinality, value, negated=True)
    return _change(proposal, slot, new, replaces=value)


def _renewed(
    proposal: Proposal, text: str, slot: Slot, value: str, subjects: Collection[str], *, aside: bool
) -> Proposal | None:
    """What a sentence says that names a slot's subject, or its value and a rival, with news of another of its kind."""
    marked = _marked(text, slot, value)
    named = MARK in marked
    if proposal.given_up or (not _known(value) if named else not _speaks_of(text, slot, value, subjects)):
        return None
    new = told_of(marked, value, person=slot.attribute == OWNER)
    if new is None or same(new, value) or canonical(new) == slot.subject:
        return None
    placed = is_region(value) and is_region(new)
    shaped = any(fits(value) and fits(new) for fits in (is_date, is_quantity, _known))
    certain = not named and not aside and (placed or (shaped and _begins_with(text, slot.subject)))
    if certain:
        return _change(proposal, slot, new, replaces=value)
    return _doubt(proposal, slot, Cardinality.ONE, new, negated=False)


def _speaks_of(text: str, slot: Slot, value: str, subjects: Collection[str]) -> bool:
    """Whether the subject is named; of what only one sort of value can fill, the place it holds in is enough."""
    return slot.subject in subjects or bool(slot.scope and is_region(value) and _ENVIRONMENT.search(text))


def _begins_with(text: str, subject: str) -> bool:
    """Whether the sentence is about the subject itself: it comes first, and what became of it right after."""
    words = _BEFORE_SUBJECT.sub("", text).split()
    return any(
        canonical(" ".join(words[:length])) == subject and _BECOMES.match(" ".join(words[length:]))
        for length in range(1, min(MOST_WORDS, len(words)) + 1)
    )


def _known(value: str) -> bool:
    return kind_of_value(value) is not None


def _change(proposal: Proposal, slot: Slot, value: str, *, replaces: str) -> Proposal:
    name = label(slot)
    return replace(
        proposal,
        slot=slot,
        kind=kind_of(slot),
        value=value,
        statement=f"{name[:1].upper()}{name[1:]}: {value}.",
        replaces=replaces,
        doubt=False,
        told="",
    )


def _doubt(
    proposal: Proposal, slot: Slot, cardinality: Cardinality, value: str, *, negated: bool
) -> Proposal:
    return replace(
        proposal,
        slot=slot,
        cardinality=cardinality,
        value=value,
        negated=negated,
        doubt=True,
        given_up=False,
        told="",
    )
