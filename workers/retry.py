"""A second chance for an event in quarantine."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from sqlalchemy import Connection, text
from sqlalchemy.exc import DataError, ProgrammingError

from schema.database import Database
from schema.errors import DatabaseConflict, DatabaseRefused, NotFound, Refused
from schema.ids import whole_id
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
            DELETE FROM quarantine WHERE client = :client AND id = :id AND state = 'held'
            RETURNING entry, payload
        """),
        {"client": client, "id": whole_id(identifier)},
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


def retry_all(database: Database, client: str) -> Counter[str]:
    """Store what is held now, the oldest first and each in a transaction of its own; return how many became what.

    ``held`` counts those that still cannot be stored. Raises DatabaseUnavailable, with the rest left as it is.
    """
    with database.tenant(client) as connection:
        statement = text("""
            SELECT id::text FROM quarantine WHERE client = :client AND state = 'held' ORDER BY quarantined_at, id
        """)
        held = list(connection.scalars(statement, {"client": client}))
    came_to: Counter[str] = Counter()
    for identifier in held:
        try:
            with database.tenant(client) as connection:
                came_to[retry(connection, client, identifier)] += 1
        except NotFound:  # another was first
            continue
        except (Refused, DatabaseConflict, DatabaseRefused, DataError, ProgrammingError):
            came_to["held"] += 1
    return came_to
