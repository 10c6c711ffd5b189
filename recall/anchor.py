"""Times told by what happened: "before the move to Postgres" is a window that ends when that happened."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from recall import candidates, keyword
from recall.times import BEGINNING, Window
from recall.words import words

KINDS = ("event", "commit", "fact", "summary", "turn")
SURE = 0.5  # share of the phrase's words that the found unit must hold
_CHANGES = (
    "migration|move|switch|change|upgrade|release|rewrite|refactor|refactoring|rename|incident|outage|merge"
)
_WE = "moved|switched|migrated|changed|upgraded|released|rewrote|refactored|renamed|merged|replaced|dropped"
_RELATIVE = re.compile(
    rf"\b(before|after|since)\s+((?:the|our)\s+(?:{_CHANGES})\b[^?.,]{{0,80}}|we\s+(?:{_WE})\b[^?.,]{{0,80}})",
    re.IGNORECASE,
)


def phrase_of(question: str) -> tuple[str, str, str] | None:
    """Return (whole phrase, before or after, what happened), or None where no change is named."""
    match = _RELATIVE.search(question)
    if match is None:
        return None
    return match[0].strip(), "before" if match[1].lower() == "before" else "after", match[2].strip()


def window_of(
    conn: Connection,
    client: str,
    projects: Sequence[str] | None,
    phrase: tuple[str, str, str],
    now: datetime,
) -> Window | None:
    """Look up when it happened; None where nothing recorded is surely that."""
    whole, side, happened = phrase
    asked = dict.fromkeys(words(happened), 1.0)
    units, _ = keyword.corpora(conn, client, words=asked, projects=projects, kinds=KINDS)
    matches = keyword.search(conn, client, units, limit=10, by_own=True)
    sure = [match for match in matches.values() if match.coverage >= SURE]
    if not sure:
        return None
    best = max(sure, key=lambda match: (match.score, match.unit)).unit
    found = candidates.fetch(conn, client, projects, [best]).get(best)
    if found is None:
        return None
    at = found.valid_from or found.at
    if side == "before":
        return Window(BEGINNING, at, whole)
    return Window(at, now + timedelta(days=1), whole)
