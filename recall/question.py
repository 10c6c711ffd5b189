"""A question taken apart: weighed words, phrases that must appear, files, a time window, what it says of the past."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from recall.errors import BadQuestion
from recall.synonyms import EXPANSIONS, WEIGHT
from recall.times import Window, find
from recall.words import EXACT, fold, names, sequence, words

MOST_CHARS = 4000
MOST_WORDS = 64
# What happened, whatever it was: next to a time these words narrow nothing.
GENERIC = frozenset(
    {"change", "changed", "changes", "happen", "happened", "do", "did", "done", "work", "worked", "new"}
)

_PHRASE = re.compile(r'"([^"]{2,200})"')
_FILE = re.compile(r"^(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[a-z][a-z0-9]{0,7}$")
_HISTORY = re.compile(
    r"\b(?:previous(?:ly)?|original(?:ly)?|formerly|earlier|used to|no longer|back then|history|"
    r"replaced|superseded|retired|instead of|changed from|in the past|before (?:that|we (?:switched|moved|changed)))\b"
    r"|\bbefore\s*\??$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^\W*(?:what|which|who|where|how|is|are|does|do|can|should|whose)\b|\?\s*$|\b(?:current(?:ly)?|now|latest|today)\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:did|was|were|had|happened|ago)\b", re.IGNORECASE)
# Who asks when something was does not know it: a time in such a question is a hint.
_WHEN = re.compile(
    r"^\W*(?:(?:on|in|at|since) )?"
    r"(?:when|how long|(?:what|which) (?:date|day|time|week|month|year)|how many \w+ ago)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """The parts of a question. ``words`` maps a word (exact names marked) to its weight.

    ``about`` is the text without the phrase of a strict window; ``words`` may then be empty ("what changed today?").
    ``spelt`` says that nothing is asked for beside the ``phrases``.
    ``history`` asks for what no longer holds, ``present`` for what is now rather than for what happened.
    """

    text: str
    about: str
    words: dict[str, float]
    phrases: tuple[tuple[str, ...], ...] = ()
    spelt: bool = False
    files: tuple[str, ...] = ()
    window: Window | None = None
    history: bool = False
    present: bool = False
    cut: bool = False


def parse(text: str, now: datetime) -> Question:
    """Take ``text`` apart, seen from ``now``. Raises BadQuestion where there is nothing in it to search for."""
    clean = fold(text[: MOST_CHARS * 2])[:MOST_CHARS].strip()
    if not clean:
        raise BadQuestion("it is empty; ask with a few words")
    window = find(clean, now)
    if window is not None and _WHEN.search(clean):
        window = replace(window, strict=False)
    about = clean
    if window is not None and window.strict:
        about = " ".join(clean.replace(window.phrase, " ").split())
    weighed = _weighed(about, () if window is None else GENERIC)
    if not weighed and window is None:
        raise BadQuestion("it holds no words; ask with a few words")
    return Question(
        text=clean,
        about=about,
        words=weighed,
        phrases=tuple(
            phrase for found in _PHRASE.findall(clean) if len(phrase := tuple(sequence(found))) > 0
        ),
        spelt=not any(words(_PHRASE.sub(" ", about))),
        files=_files(clean),
        window=window,
        history=bool(_HISTORY.search(clean)),
        present=bool(_ASKS.search(clean)) and not _PAST.search(clean),
        cut=len(text) > MOST_CHARS,
    )


def within(question: Question, window: Window) -> Question:
    """Return ``question`` narrowed to ``window``, whose phrase is no longer part of what it is about."""
    about = " ".join(question.text.replace(window.phrase, " ").split())
    return replace(question, window=window, about=about, words=_weighed(about, GENERIC))


def _weighed(text: str, left_out: Collection[str]) -> dict[str, float]:
    """Every word once, with its synonyms at low weight."""
    weighed: dict[str, float] = {}
    for word in words(text):
        if word not in left_out and len(weighed) < MOST_WORDS:
            weighed[word] = 1.0
    for word in list(weighed):
        for other in EXPANSIONS.get(word, ()):
            weighed.setdefault(other, WEIGHT)
    return weighed


def _files(text: str) -> tuple[str, ...]:
    """The files a text names, each once; a path's last part is not one of its own."""
    found = [name for name in dict.fromkeys(names(text)) if _FILE.match(name) and not _version(name)]
    return tuple(name for name in found if not any(other.endswith(f"/{name}") for other in found))


def _version(name: str) -> bool:
    return name.removeprefix(EXACT).replace(".", "").lstrip("v").isdigit()
