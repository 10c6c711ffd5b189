"""The units that the signals found, fetched once: what ranking and the answer need of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from recall.shelves import plain
from recall.times import Window
from recall.words import sequence
from schema.evidence import pointers
from schema.ids import whole_id
from schema.records import Evidence, Standing
from schema.scope import narrowed, values

# Distilled and deliberate things stand before raw talk, a person's words before an agent's.
PRIORS = {"fact": 0.4, "memory": 0.4, "event": 0.3, "summary": 0.2, "item": 0.2, "commit": 0.1}
PERSON_PRIOR = 0.3
SESSION_KIND = "session"
TURN_KIND = "turn"
FACT_KIND = "fact"

_FETCH = """
    SELECT unit, kind, ref, project::text AS project, session, at, standing, slot, current, valid_from, valid_to
    FROM search_units WHERE client = :client AND unit = ANY(:units) {projects}
"""

# The best owners come first in the list, and of a session its whole stands for it if there is no room for all.
_OF_OWNERS = """
    WITH owner AS (SELECT * FROM unnest(CAST(:owners AS text[])) WITH ORDINALITY AS o(name, place))
    SELECT unit FROM (
        SELECT u.unit, o.place, u.kind FROM owner o
        JOIN search_units u ON u.session = o.name WHERE u.client = :client {projects}
        UNION ALL
        SELECT u.unit, o.place, u.kind FROM owner o
        JOIN search_units u ON u.kind = split_part(o.name, ':', 1) AND u.ref = substr(o.name, strpos(o.name, ':') + 1)
        WHERE u.client = :client AND u.session IS NULL {projects}
    ) AS found
    WHERE kind = ANY(:kinds)
    ORDER BY kind <> 'session', place, unit LIMIT :limit
"""

# What was distilled comes before raw talk where there is no room for all.
_IN_TIME = """
    SELECT unit FROM search_units
    WHERE client = :client AND at >= :start AND at < :end AND kind = ANY(:kinds) {projects}
    ORDER BY kind IN ('turn', 'session'), at DESC, unit LIMIT :limit
"""

_TEXTS = text("""
    SELECT unit, title, text, files, evidence FROM search_units WHERE client = :client AND unit = ANY(:units)
""")

_FRESHNESS = text("""
    SELECT fact::text AS fact, freshness FROM fact_checks
    WHERE client = :client AND fact = ANY(CAST(:facts AS uuid[]))
""")

_CUT = text("""
    SELECT id::text AS id, chars FROM exchanges
    WHERE client = :client AND id = ANY(CAST(:turns AS uuid[])) AND cut
""")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit without its text."""

    unit: int
    kind: str
    ref: str
    project: str
    session: str | None
    at: datetime
    standing: str | None
    slot: str | None
    current: bool
    valid_from: datetime | None
    valid_to: datetime | None

    @property
    def owner(self) -> str:
        """What results are grouped by: the session, or the unit itself where it has none."""
        return self.session or f"{self.kind}:{self.ref}"

    @property
    def inferred(self) -> bool:
        """True for a fact that nobody stated and no code proves: it stands as what the agent said, not above it."""
        return self.kind == FACT_KIND and self.standing == Standing.MODEL

    @property
    def prior(self) -> float:
        """What the unit's kind and origin add to its score."""
        if self.kind == TURN_KIND:
            return PERSON_PRIOR if self.standing == "person" else 0.0
        if self.inferred:
            return 0.0
        return PRIORS.get(plain(self.kind), 0.0)


@dataclass(frozen=True, slots=True)
class Body:
    """A unit's text, files and evidence, fetched only for what is shown."""

    title: str
    text: str
    files: tuple[str, ...]
    evidence: tuple[Evidence, ...]

    def says(self, phrase: Sequence[str]) -> bool:
        """True where the words of ``phrase`` stand in the text one after the other."""
        own = sequence(f"{self.title}\n{self.text}")
        wanted = list(phrase)
        return any(own[i : i + len(wanted)] == wanted for i in range(len(own) - len(wanted) + 1))


def fetch(
    conn: Connection, client: str, projects: Sequence[str] | None, units: Sequence[int]
) -> dict[int, Candidate]:
    """Return the candidates of ``units`` that exist, inside ``projects``."""
    scope = values(client, projects)
    rows = conn.execute(text(_FETCH.format(projects=narrowed(projects))), scope | {"units": list(units)})
    return {row.unit: Candidate(*row) for row in rows}


def of_owners(
    conn: Connection,
    client: str,
    projects: Sequence[str] | None,
    owners: Sequence[str],
    kinds: Sequence[str],
    limit: int,
) -> list[int]:
    """Return units of ``owners`` (sessions, or ``kind:ref``): a signal may point at a session and no unit of it."""
    if not owners:
        return []
    scope = values(client, projects)
    rows = conn.scalars(
        text(_OF_OWNERS.format(projects=narrowed(projects))),
        scope | {"owners": list(owners), "kinds": list(kinds), "limit": limit},
    )
    return list(rows)


def in_time(
    conn: Connection,
    client: str,
    projects: Sequence[str] | None,
    window: Window,
    kinds: Sequence[str],
    limit: int,
) -> list[int]:
    """Return units of the time in ``window``, what was distilled first, then the latest."""
    scope = values(client, projects)
    rows = conn.scalars(
        text(_IN_TIME.format(projects=narrowed(projects))),
        scope | {"start": window.start, "end": window.end, "kinds": list(kinds), "limit": limit},
    )
    return list(rows)


def bodies(conn: Connection, client: str, units: Sequence[int]) -> dict[int, Body]:
    """Return title, text and evidence of ``units``."""
    rows = conn.execute(_TEXTS, {"client": client, "units": list(units)})
    return {row.unit: Body(row.title, row.text, tuple(row.files), pointers(row.evidence)) for row in rows}


def told_lengths(conn: Connection, client: str, turns: Sequence[str]) -> dict[str, int]:
    """Return how long those of ``turns`` were, in characters, that were cut when they were captured."""
    known = [turn for turn in turns if whole_id(turn)]
    if not known:
        return {}
    return {row.id: row.chars for row in conn.execute(_CUT, {"client": client, "turns": known})}


def freshness(conn: Connection, client: str, facts: Sequence[str]) -> dict[str, str]:
    """Return what the last check against the code said, by fact id."""
    known = [fact for fact in facts if whole_id(fact)]
    if not known:
        return {}
    return {row.fact: row.freshness for row in conn.execute(_FRESHNESS, {"client": client, "facts": known})}
