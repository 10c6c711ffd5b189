"""Events that cannot be stored are kept with the reason, out of the way of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

from schema.errors import NotFound
from schema.ids import new_id, whole_id

ATTEMPTS = 5
PAYLOAD_LIMIT = 262_144


@dataclass(frozen=True, slots=True)
class Rejected:
    """An entry that is no event, or that failed too often; ``payload`` is redacted, None where it could not be.

    ``event_id`` is the captured event's own id, where the entry tells one.
    """

    entry: str
    reason: str
    attempts: int
    payload: str | None
    event_id: str | None = None


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
            "event_id": one.event_id,
        }
        connection.execute(
            text("""
                INSERT INTO ledger (client, entry, event_id, disposition)
                VALUES (:client, :entry, :event_id, 'quarantined')
            """),
            values,
        )
        connection.execute(
            text("""
                INSERT INTO quarantine (client, id, entry, event_id, reason, attempts, payload)
                VALUES (:client, :id, :entry, :event_id, :reason, :attempts, :payload)
            """),
            values,
        )


def oldest(
    connection: Connection, client: str, *, held_only: bool = True, limit: int = 50
) -> tuple[list[dict[str, Any]], int]:
    """Quarantined events without payloads, the oldest first and at most ``limit``, and how many more there are."""
    rows = connection.execute(
        text("""
            SELECT id::text, event_id::text, entry, reason, attempts, state, quarantined_at, count(*) OVER () AS whole
            FROM quarantine WHERE client = :client AND (state = 'held' OR NOT :held_only)
            ORDER BY quarantined_at, id LIMIT :limit
        """),
        {"client": client, "held_only": held_only, "limit": limit},
    ).mappings()
    found = [dict(row) for row in rows]
    whole = found[0]["whole"] if found else 0
    return [{name: row[name] for name in row if name != "whole"} for row in found], whole - len(found)


def show(connection: Connection, client: str, identifier: str) -> dict[str, Any]:
    """One quarantined event with its redacted payload. Raises NotFound."""
    row = (
        connection.execute(
            text("""
                SELECT id::text, event_id::text, entry, reason, attempts, state, quarantined_at, payload
                FROM quarantine WHERE client = :client AND id = :id
            """),
            {"client": client, "id": whole_id(identifier)},
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
            WHERE client = :client AND id = :id AND state = 'held' RETURNING entry
        """),
        {"client": client, "id": whole_id(identifier)},
    ).first()
    if row is None:
        raise NotFound(what="held event", name=identifier)
