"""Messages and notes: what a person wrote down is read like what a person says, by the rules alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from distill.identity import short_key
from distill.offline.distiller import OfflineDistiller
from distill.run import propose
from distill.store import events as event_store
from distill.store import facts as fact_store
from schema.database import Database
from schema.records import Evidence, Exchange, NewEvent, Role, SessionEvidence


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
    moment = now or datetime.now(UTC)
    found: list[str] = []
    with database.tenant(client) as connection:
        fact_store.hold(connection, client, project)
        for one in told:
            source = Evidence(one.kind, one.id, one.at, one.session)
            distillate = OfflineDistiller().distil(_as_said(client, project, one))
            for event in distillate.events:
                known = _keyed(event, source)
                found.append(event_store.keep(connection, client, project, known, one.session, moment))
            offered = [
                replace(p, evidence=tuple(replace(source, at=e.at) for e in p.evidence))
                for p in distillate.proposals
            ]
            propose(connection, client, project, offered, (), moment)
    return tuple(found)


def _keyed(event: NewEvent, source: Evidence) -> NewEvent:
    """The event with its message as evidence; the same words in two messages are two events."""
    evidence = tuple(replace(source, at=e.at) for e in event.evidence)
    return replace(event, key=short_key(source.kind, source.id, event.key), evidence=evidence)


def _as_said(client: str, project: str, told: Told) -> SessionEvidence:
    said = Exchange(told.id, Role.PERSON, told.text, told.at)
    return SessionEvidence(client, project, told.session or told.id, told.kind, told.at, told.at, (said,))
