"""One result in full, and what stands around it: the step after a short answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from recall.answer import Scope
from recall.candidates import TURN_KIND, freshness, told_lengths
from recall.fence import harmless
from recall.shelves import plain, reached, shelved
from schema.database import Database
from schema.evidence import pointers
from schema.records import Evidence
from schema.scope import narrowed

_UNIT = """
    SELECT kind, ref, project::text AS project, session, at, title, text, files, standing, slot, current,
           valid_from, valid_to, evidence
    FROM search_units WHERE client = :client AND kind = ANY(:kinds) AND ref = :ref {projects}
"""

_BESIDE = """
    SELECT kind, ref, at, standing, text FROM search_units
    WHERE client = :client AND session = :session AND kind = 'turn' {projects}
    ORDER BY abs(extract(epoch FROM at - CAST(:at AS timestamptz))), unit LIMIT :limit
"""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of the same session, near in time."""

    ref: str
    at: datetime
    by_person: bool
    text: str


@dataclass(frozen=True, slots=True)
class Detail:
    """A unit in full with its evidence and the talk around it, in the order of time.

    ``chars`` is how long the text was when it was said: more than is here where capture cut it.
    """

    kind: str
    ref: str
    project: str
    session: str | None
    at: datetime
    title: str
    text: str
    chars: int
    files: tuple[str, ...]
    standing: str | None
    slot: str | None
    current: bool
    valid_from: datetime | None
    valid_to: datetime | None
    freshness: str | None
    evidence: tuple[Evidence, ...]
    beside: tuple[Said, ...]


def opened(database: Database, scope: Scope, kind: str, ref: str, *, beside: int = 4) -> Detail | None:
    """Return one unit in full with up to ``beside`` turns around it; None where the scope has no such unit."""
    inside = reached(scope)
    narrow, values = narrowed(inside.projects), inside.values
    with database.tenant(scope.client, scope.user) as conn:
        row = conn.execute(
            text(_UNIT.format(projects=narrow)),
            values | {"kinds": list(shelved([kind], scope.user)), "ref": ref},
        ).first()
        if row is None:
            return None
        near = values | {"session": row.session, "at": row.at, "limit": beside}
        turns = conn.execute(text(_BESIDE.format(projects=narrow)), near).all() if row.session else []
        full = told_lengths(conn, scope.client, [ref] if kind == TURN_KIND else [])
        fresh = freshness(conn, scope.client, [ref] if kind == "fact" else [])
    return Detail(
        kind=plain(row.kind),
        ref=row.ref,
        project=row.project,
        session=row.session,
        at=row.at,
        title=harmless(row.title),
        text=harmless(row.text),
        chars=max(full.get(ref, 0), len(row.text)),
        files=tuple(row.files),
        standing=row.standing,
        slot=row.slot,
        current=row.current,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        freshness=fresh.get(ref),
        evidence=pointers(row.evidence),
        beside=tuple(
            Said(turn.ref, turn.at, turn.standing == "person", harmless(turn.text))
            for turn in sorted(turns, key=lambda turn: (turn.at, turn.ref))
            if turn.ref != ref
        ),
    )
