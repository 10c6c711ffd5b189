"""Messages, notes and commits: what a person wrote down is read like what a person says, by the rules alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection

from distill.identity import short_key
from distill.offline.distiller import OfflineDistiller
from distill.run import follow_rewrites, propose
from distill.store import events as event_store
from distill.store import facts as fact_store
from schema.database import Database
from schema.records import Commit, Evidence, Exchange, NewEvent, Role, SessionEvidence


@dataclass(frozen=True, slots=True)
class Told:
    """One message or note (``kind``), already redacted."""

    id: str
    kind: str
    text: str
    at: datetime
    session: str | None = None


def distil_told(
    database: Database, client: str, project: str, told: Sequence[Told], *, now: datetime | None = None
) -> tuple[str, ...]:
    """Write the events and facts that ``told`` gives, in one transaction; return the events' ids, new or known.

    Running it again changes nothing. Raises DatabaseConflict where another transaction was first: run again.
    """
    sources = [
        (_as_said(client, project, one), Evidence(one.kind, one.id, one.at, one.session)) for one in told
    ]
    return _distil(database, client, project, sources, now)


def distil_commits(
    database: Database, client: str, project: str, commits: Sequence[Commit], *, now: datetime | None = None
) -> tuple[str, ...]:
    """The same for the messages of commits that no session made; each is held against what its commit changed.

    Running it again changes nothing. Raises DatabaseConflict where another transaction was first: run again.
    """
    sources = [
        (
            SessionEvidence(client, project, one.id, "git", one.at, one.at, (), (), (one,)),
            Evidence("commit", one.id, one.at, None, one.sha),
        )
        for one in commits
    ]
    return _distil(database, client, project, sources, now)


def _distil(
    database: Database,
    client: str,
    project: str,
    sources: Sequence[tuple[SessionEvidence, Evidence]],
    now: datetime | None,
) -> tuple[str, ...]:
    moment = now or datetime.now(UTC)
    found: list[str] = []
    with database.tenant(client) as connection:
        fact_store.hold(connection, client, project)
        for said, source in sources:
            found += _write(connection, said, source, moment)
    return tuple(found)


def withdraw_commits(
    database: Database, client: str, project: str, identifiers: Sequence[str], *, now: datetime | None = None
) -> tuple[str, ...]:
    """Take back what the messages of rewritten commits (ids of rows) gave; return the ids of the events that went.

    Facts follow once the commit in its place has arrived.
    """
    moment = now or datetime.now(UTC)
    with database.tenant(client) as connection:
        fact_store.hold(connection, client, project)
        follow_rewrites(connection, client, project, moment)
        return event_store.withdraw(connection, client, project, identifiers)


def _write(
    connection: Connection,
    evidence: SessionEvidence,
    source: Evidence,
    now: datetime,
) -> list[str]:
    client, project = evidence.client, evidence.project
    distillate = OfflineDistiller().distil(evidence)
    found = [
        event_store.keep(connection, client, project, _keyed(event, source), source.session, now)
        for event in distillate.events
    ]
    if distillate.offered:
        offered = [
            replace(p, evidence=tuple(replace(source, at=e.at) for e in p.evidence))
            for p in distillate.offered
        ]
        propose(connection, client, project, offered, (), now)
    return found


def _keyed(event: NewEvent, source: Evidence) -> NewEvent:
    """The event with its source as evidence; the same words in two messages are two events."""
    evidence = tuple(replace(source, at=e.at) for e in event.evidence)
    return replace(event, key=short_key(source.kind, source.id, event.key), evidence=evidence)


def _as_said(client: str, project: str, told: Told) -> SessionEvidence:
    said = Exchange(told.id, Role.PERSON, told.text, told.at)
    return SessionEvidence(client, project, told.session or told.id, told.kind, told.at, told.at, (said,))
