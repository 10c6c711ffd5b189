"""Events that cannot be stored are kept with the reason, out of the way of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

from schema.errors import NotFound
from schema.ids import new_id

ATTEMPTS = 5
PAYLOAD_LIMIT = 262_144


@dataclass(frozen=True, slots=True)
class Rejected:
    """An entry that is no event, or that failed too often; ``payload`` is redacted, None where it could not be."""

    entry: str
    reason: str
    attempts: int
    payload: str | None


def hold(connection: Connection, client: str, rejected: Sequence[Rejected]) -> None:
    """Write ledger and quarantine rows for ``rejected``."""
    for one in rejected:
        values = {
            "client": client,
            "entry": one.entry,
            "id": new_id(),
            "reason": one.reason,
            "attempts": one.attempts,
            "payload": one.payload[:PAYLOAD_LIMIT] if one.payload else one.payload,
        }
        connection.execute(
            text("INSERT INTO ledger (client, entry, disposition) VALUES (:client, :entry, 'quarantined')"),
            values,
        )
        connection.execute(
            text("""
                INSERT INTO quarantine (client, id, entry, reason, attempts, payload)
                VALUES (:client, :id, :entry, :reason, :attempts, :payload)
            """),
            values,
        )


def show(connection: Connection, client: str, identifier: str) -> dict[str, Any]:
    """One quarantined event with its redacted payload. Raises NotFound."""
    row = (
        connection.execute(
            text("""
                SELECT id::text, entry, reason, attempts, state, quarantined_at, payload FROM quarantine
                WHERE client = :client AND id::text = :id
            """),
            {"client": client, "id": identifier},
        )
        .mappings()
        .first()
    )
    if row is None:
        raise NotFound(what="quarantined event", name=identifier)
    return dict(row)


def drop(connection: Connection, client: str, identifier: str) -> None:
    """Delete the payload of a held event and mark it dropped; its line in the sums stays. Raises NotFound."""
    row = connection.execute(
        text("""
            UPDATE quarantine SET state = 'dropped', payload = NULL
            WHERE client = :client AND id::text = :id AND state = 'held' RETURNING entry
        """),
        {"client": client, "id": identifier},
    ).first()
    if row is None:
        raise NotFound(what="held event", name=identifier)
