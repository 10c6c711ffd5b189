"""A second chance for an event in quarantine."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, text

from schema.errors import NotFound, Refused
from workers import mirror, net
from workers.incoming import Malformed, read
from workers.ingest import ingest


def retry(connection: Connection, client: str, identifier: str) -> str:
    """Store a held event now and return its new disposition; what follows from it, the sweep finds.

    Raises NotFound, and Refused where it still is no event; then it stays held, since the transaction ends.
    """
    mirror.serialise(connection, client)
    row = connection.execute(
        text("""
            DELETE FROM quarantine WHERE client = :client AND id::text = :id AND state = 'held'
            RETURNING entry, payload
        """),
        {"client": client, "id": identifier},
    ).first()
    if row is None:
        raise NotFound(what="held event", name=identifier)
    now = datetime.now(UTC)
    event = read(row.entry, row.payload.encode() if row.payload is not None else None, now)
    if isinstance(event, Malformed):
        raise Refused(why=event.reason)
    if net.clean([event]):
        raise Refused(why="it cannot be redacted")
    connection.execute(
        text("DELETE FROM ledger WHERE client = :client AND entry = :entry AND disposition = 'quarantined'"),
        {"client": client, "entry": row.entry},
    )
    mirror.count(connection, client, {"quarantined": -1})
    stored = ingest(connection, client, [event], now=now)
    return next(name for name, n in stored.dispositions.items() if n)
