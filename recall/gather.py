"""Run the signals and bring together what they say of each unit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from recall import candidates, graph, keyword, semantic
from recall.answer import Scope
from recall.candidates import SESSION_KIND, TURN_KIND, Candidate
from recall.keyword import Corpus, Match
from recall.question import Question
from schema.kinds import KINDS

__all__ = ["KINDS", "SIGNALS", "Asked", "Found", "gather"]

SIGNALS = ("words", "session", "semantic", "files")
POOL = 120  # units that each signal may bring
SESSIONS = 60  # whole sessions
LONG_TEXT = 150  # mean words of a turn beyond which units speak for themselves, without neighbours or session


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with everything that narrows it. ``vector`` is None where no embedding is to be had."""

    scope: Scope
    question: Question
    kinds: tuple[str, ...]
    files: tuple[str, ...]
    as_of: datetime | None
    history: bool
    vector: NDArray[np.float32] | None
    model: str
    signals: Collection[str] = SIGNALS

    def allows(self, unit: Candidate) -> bool:
        """False for other kinds, for what came after ``as_of``, for superseded facts unless history is wanted."""
        if unit.kind not in self.kinds:
            return False
        if self.as_of is not None:
            held = unit.valid_to is None or self.as_of < unit.valid_to
            return (unit.valid_from or unit.at) <= self.as_of and (self.history or held)
        return self.history or unit.current


@dataclass(slots=True)
class Found:
    """What the signals say: ``lists`` by signal and unit; ``ran`` tells for each signal whether it did.

    ``coverage`` is the share of the question's words that a unit holds, ``covered`` the same of whole sessions;
    ``possible`` is what the question's words weigh together, in the lists that count words.
    """

    units: dict[int, Candidate] = field(default_factory=dict)
    lists: dict[str, dict[int, float]] = field(default_factory=dict)
    matches: dict[int, Match] = field(default_factory=dict)
    cosines: dict[int, float] = field(default_factory=dict)
    coverage: dict[int, float] = field(default_factory=dict)
    covered: dict[str, float] = field(default_factory=dict)
    possible: dict[str, float] = field(default_factory=dict)
    ran: dict[str, str] = field(default_factory=dict)
    long_texts: bool = False


def gather(conn: Connection, asked: Asked) -> Found:
    """Run every wanted signal inside the scope and fetch the units they found."""
    found = Found()
    client, projects = asked.scope.client, asked.scope.projects
    kinds = [kind for kind in asked.kinds if kind != SESSION_KIND]
    units, wholes = keyword.corpora(conn, client, words=asked.question.words, projects=projects, kinds=kinds)
    found.possible = {"words": units.possible, "session": wholes.possible}
    found.long_texts = TURN_KIND in units.usual and units.usual[TURN_KIND].own > LONG_TEXT
    _nearest(conn, asked, found, units.units + wholes.units)
    timely = _timely(conn, asked)
    sessions = _words(conn, asked, found, units, wholes, timely)
    owners: dict[str, float] = {}
    if "files" in asked.signals:
        owners = graph.sharing(conn, client, files=asked.files, projects=projects, limit=POOL)
    found.ran["files"] = "ran" if asked.files else "no file named"
    wanted = {*found.matches, *found.cosines, *sessions, *timely}
    wanted |= set(candidates.of_owners(conn, client, projects, list(owners), asked.kinds, POOL * 4))
    fetched = candidates.fetch(conn, client, projects, sorted(wanted))
    by_session = {fetched[u].owner: match.score for u, match in sessions.items() if u in fetched}
    found.covered = {fetched[u].owner: match.coverage for u, match in sessions.items() if u in fetched}
    found.units = {number: unit for number, unit in fetched.items() if asked.allows(unit)}
    found.coverage = {u: match.coverage for u, match in (found.matches or sessions).items()}
    _compare(conn, asked, found)
    _lists(asked, found, by_session, owners)
    return found


def _nearest(conn: Connection, asked: Asked, found: Found, size: float) -> None:
    if asked.vector is None or "semantic" not in asked.signals:
        return
    near = semantic.search(
        conn,
        asked.scope.client,
        vector=asked.vector,
        model=asked.model,
        projects=asked.scope.projects,
        kinds=asked.kinds,
        limit=POOL,
        size=size,
    )
    found.cosines.update(near)
    found.ran["semantic"] = "ran" if near else "no vectors of this model yet"


def _timely(conn: Connection, asked: Asked) -> list[int]:
    """Units of the time the question narrows to: few of them may be among the best of all times."""
    window = asked.question.window
    if window is None or not window.strict:
        return []
    scope = asked.scope
    return candidates.in_time(conn, scope.client, scope.projects, window, asked.kinds, POOL * 2)


def _words(
    conn: Connection, asked: Asked, found: Found, units: Corpus, wholes: Corpus, timely: list[int]
) -> dict[int, Match]:
    """Match the words of units, and return those of whole sessions."""
    client, signals = asked.scope.client, set(asked.signals)
    found.ran["keyword"] = "ran"
    sessions: dict[int, Match] = {}
    if "session" in signals and not found.long_texts:
        sessions = keyword.search(conn, client, wholes, limit=SESSIONS)
    if not units.kinds:  # only whole sessions are asked for: they are the units
        found.matches = sessions
    elif "words" in signals:
        also = [*found.cosines, *timely]
        found.matches = keyword.search(conn, client, units, limit=POOL, also=also, by_own=found.long_texts)
    return sessions


def _compare(conn: Connection, asked: Asked, found: Found) -> None:
    """Give a cosine to the units that other signals found, so that no list is short of them."""
    if asked.vector is None or "semantic" not in asked.signals:
        return
    missing = [unit for unit in found.units if unit not in found.cosines]
    found.cosines |= semantic.of_units(
        conn,
        asked.scope.client,
        vector=asked.vector,
        model=asked.model,
        projects=asked.scope.projects,
        units=missing,
    )


def _lists(asked: Asked, found: Found, sessions: dict[str, float], owners: dict[str, float]) -> None:
    units, matches = found.units, found.matches
    everything = {
        "words": {u: matches[u].score for u in units if u in matches},
        "session": {u: sessions[c.owner] for u, c in units.items() if c.owner in sessions},
        "semantic": {u: found.cosines[u] for u in units if u in found.cosines},
        "files": {u: owners[c.owner] for u, c in units.items() if c.owner in owners},
    }
    found.lists = {name: scores for name, scores in everything.items() if name in asked.signals}
