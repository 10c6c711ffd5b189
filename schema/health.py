"""What the database knows of how the memory does: sessions that wait for the distiller, secrets that were caught."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

_UNDISTILLED = text("""
    SELECT count(*), min(coalesce(ended_at, seen_at)) FROM sessions WHERE client = :client AND state = 'ended'
""")
_CAUGHT = text("SELECT rule, sum(hits) FROM redactions WHERE client = :client GROUP BY rule ORDER BY rule")


def undistilled(connection: Connection, client: str) -> tuple[int, datetime | None]:
    """How many sessions have ended and wait for the distiller, and since when the oldest does."""
    row: Any = connection.execute(_UNDISTILLED, {"client": client}).one()
    return int(row[0]), row[1]


def caught(connection: Connection, client: str) -> dict[str, int]:
    """How often each rule caught a secret, by the rule's name."""
    return {rule: int(hits) for rule, hits in connection.execute(_CAUGHT, {"client": client})}
