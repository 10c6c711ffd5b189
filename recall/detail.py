"""One result in full, and what stands behind it: the steps after a short answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from recall.answer import Scope
from recall.candidates import evidence_of
from recall.fence import harmless
from schema.database import Database
from schema.records import Evidence

_UNIT = """
    SELECT kind, ref, project::text AS project, session, at, title, text, files, standing, slot, current,
           valid_from, valid_to, evidence
    FROM search_units WHERE client = :client AND kind = :kind AND ref = :ref {projects}
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
    """A unit in full with its evidence and the talk around it, in the order of time."""

    kind: str
    ref: str
    project: str
    session: str | None
    at: datetime
    title: str
    text: str
    files: tuple[str, ...]
    standing: str | None
    slot: str | None
    current: bool
    valid_from: datetime | None
    valid_to: datetime | None
    evidence: tuple[Evidence, ...]
    beside: tuple[Said, ...]


def opened(database: Database, scope: Scope, kind: str, ref: str, *, beside: int = 4) -> Detail | None:
    """Return one unit in full with up to ``beside`` turns around it; None where the scope has no such unit."""
    narrow, values = _scope(scope.client, scope.projects)
    with database.tenant(scope.client) as conn:
        row = conn.execute(text(_UNIT.format(projects=narrow)), values | {"kind": kind, "ref": ref}).first()
        if row is None:
            return None
        near = values | {"session": row.session, "at": row.at, "limit": beside}
        turns = conn.execute(text(_BESIDE.format(projects=narrow)), near).all() if row.session else []
    return Detail(
        kind=row.kind,
        ref=row.ref,
        project=row.project,
        session=row.session,
        at=row.at,
        title=harmless(row.title),
        text=harmless(row.text),
        files=tuple(row.files),
        standing=row.standing,
        slot=row.slot,
        current=row.current,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        evidence=tuple(evidence_of(item) for item in row.evidence),
        beside=tuple(
            Said(turn.ref, turn.at, turn.standing == "person", harmless(turn.text))
            for turn in sorted(turns, key=lambda turn: (turn.at, turn.ref))
            if turn.ref != ref
        ),
    )


def _scope(client: str, projects: Sequence[str] | None) -> tuple[str, dict[str, object]]:
    if projects is None:
        return "", {"client": client}
    return "AND project = ANY(CAST(:projects AS uuid[]))", {"client": client, "projects": list(projects)}
