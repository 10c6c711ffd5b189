"""A question taken apart: weighed words, phrases that must appear, files, a time window, what it says of the past."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from recall.errors import BadQuestion
from recall.synonyms import EXPANSIONS, WEIGHT
from recall.times import Window, find
from recall.words import EXACT, fold, names, sequence, words

MOST_CHARS = 4000
MOST_WORDS = 64

_PHRASE = re.compile(r'"([^"]{2,200})"')
_FILE = re.compile(r"^(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[a-z][a-z0-9]{0,7}$")
_HISTORY = re.compile(
    r"\b(?:previous(?:ly)?|original(?:ly)?|formerly|earlier|used to|no longer|back then|history|"
    r"replaced|superseded|retired|instead of|changed from|in the past|before (?:that|we (?:switched|moved|changed)))\b"
    r"|\bbefore\s*\??$",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:did|was|were|had|when|happened|ago)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """The parts of a question. ``words`` maps a word (exact names marked) to its weight.

    ``history`` asks for what no longer holds, ``past`` for what happened rather than for what is.
    """

    text: str
    words: dict[str, float]
    phrases: tuple[tuple[str, ...], ...] = ()
    files: tuple[str, ...] = ()
    window: Window | None = None
    history: bool = False
    past: bool = False
    cut: bool = False


def parse(text: str, now: datetime) -> Question:
    """Take ``text`` apart, seen from ``now``. Raises BadQuestion where there is nothing in it to search for."""
    clean = fold(text[: MOST_CHARS * 2])[:MOST_CHARS].strip()
    if not clean:
        raise BadQuestion("it is empty; ask with a few words")
    weighed: dict[str, float] = {}
    for word in words(clean):
        if word not in weighed and len(weighed) < MOST_WORDS:
            weighed[word] = 1.0
    if not weighed:
        raise BadQuestion("it holds no words; ask with a few words")
    for word in list(weighed):
        for other in EXPANSIONS.get(word, ()):
            weighed.setdefault(other, WEIGHT)
    return Question(
        text=clean,
        words=weighed,
        phrases=tuple(
            phrase for found in _PHRASE.findall(clean) if len(phrase := tuple(sequence(found))) > 0
        ),
        files=tuple(dict.fromkeys(name for name in names(clean) if _FILE.match(name) and not _version(name))),
        window=find(clean, now),
        history=bool(_HISTORY.search(clean)),
        past=bool(_PAST.search(clean)),
        cut=len(text) > MOST_CHARS,
    )


def _version(name: str) -> bool:
    return name.removeprefix(EXACT).replace(".", "").lstrip("v").isdigit()
