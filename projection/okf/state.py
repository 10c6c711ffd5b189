"""What a bundle is made of: one project as it is known now. Everything here is already free of secrets."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from schema.backlog import Backlog
from schema.records import Fact, Freshness

# What is rendered at most; what is left out is told in the index, and the lifecycle files hold more.
MOST_FACTS = 10_000
MOST_VERSIONS = 40_000
MOST_SESSIONS = 100
MOST_EVENTS = 200
MOST_DAYS = 60
MOST_USE_CASES = 200
MOST_ITEMS = 200  # of one use case, and without one
MOST_DELIVERIES = 50


@dataclass(frozen=True, slots=True)
class Check:
    """The last check of a fact against the code: what it said, at which commit, when."""

    fact: str
    freshness: Freshness
    sha: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class SessionNote:
    """What a session came to."""

    id: str
    agent: str
    title: str
    text: str
    started_at: datetime
    at: datetime
    distilled_at: datetime
    by: str = ""
    commits: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EventNote:
    """A dated event; ``valid_to`` is since when a decision or convention holds no longer."""

    id: str
    kind: str
    title: str
    text: str
    at: datetime
    session: str | None = None
    files: tuple[str, ...] = ()
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """How much became known on one day (UTC)."""

    day: date
    sessions: int = 0
    recorded: int = 0
    closed: int = 0
    events: int = 0
    deliveries: int = 0


@dataclass(frozen=True, slots=True)
class Totals:
    """How much there is in all, whatever the bundle's bounds."""

    facts: int = 0
    past: int = 0
    versions: int = 0
    sessions: int = 0
    events: int = 0
    use_cases: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """One project, ready to be rendered.

    ``facts`` are the current ones, ``versions`` every version of every fact (the lifecycle), oldest first.
    """

    project: str
    remote: str | None = None
    facts: tuple[Fact, ...] = ()
    versions: tuple[Fact, ...] = ()
    checks: tuple[Check, ...] = ()
    sessions: tuple[SessionNote, ...] = ()
    events: tuple[EventNote, ...] = ()
    backlog: Backlog = field(default_factory=Backlog)
    days: tuple[Day, ...] = ()
    totals: Totals = field(default_factory=Totals)
