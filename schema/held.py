"""Deletions that can still be undone. Each is its owner's alone; carried out, it is gone from here too."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

_HOLD = text("""
    INSERT INTO held_deletions (client, memory, owner, token, due_at)
    VALUES (:client, :memory, :owner, :token, :due) ON CONFLICT (client, memory, owner) DO NOTHING RETURNING due_at
""")
_HELD = text(
    "SELECT due_at FROM held_deletions WHERE client = :client AND memory = :memory AND owner = :owner"
)
_PUT_OFF = text(
    "UPDATE held_deletions SET due_at = :due WHERE client = :client AND memory = :memory AND owner = :owner"
)
_UNDO = text("""
    DELETE FROM held_deletions
    WHERE client = :client AND memory = :memory AND owner = :owner AND due_at > :now RETURNING memory
""")
_WAITING = text("""
    SELECT memory, due_at FROM held_deletions WHERE client = :client AND owner = :owner ORDER BY due_at, memory
""")
_DUE = text("""
    SELECT memory, token, owner FROM held_deletions WHERE client = :client AND due_at <= :now ORDER BY due_at LIMIT 100
""")
_NEXT = text("SELECT min(due_at) FROM held_deletions WHERE client = :client")
_DONE = text("DELETE FROM held_deletions WHERE client = :client AND memory = :memory AND owner = :owner")


def hold(connection: Connection, client: str, memory: str, owner: str, token: str, due: datetime) -> datetime:
    """Let ``memory`` be deleted at ``due``, as ``token`` would do it; held already, its time stays. Return its time."""
    values = {"client": client, "memory": memory, "owner": owner, "token": token, "due": due}
    stands: datetime | None = connection.scalar(_HOLD, values) or connection.scalar(_HELD, values)
    return stands or due


def put_off(connection: Connection, client: str, memory: str, owner: str, due: datetime) -> None:
    """Let a deletion that could not be carried out be tried again at ``due``; until then it can be undone."""
    connection.execute(_PUT_OFF, {"client": client, "memory": memory, "owner": owner, "due": due})


def undo(connection: Connection, client: str, memory: str, owner: str, now: datetime) -> bool:
    """Take a deletion back; False where there is none any more."""
    values = {"client": client, "memory": memory, "owner": owner, "now": now}
    return connection.scalar(_UNDO, values) is not None


def waiting(connection: Connection, client: str, owner: str) -> list[dict[str, Any]]:
    """The owner's deletions that are not carried out yet, the next first."""
    rows = connection.execute(_WAITING, {"client": client, "owner": owner}).mappings()
    return [dict(row) for row in rows]


def due(connection: Connection, client: str, now: datetime) -> list[dict[str, Any]]:
    """What has to be deleted by ``now``, of everybody that the transaction may see."""
    return [dict(row) for row in connection.execute(_DUE, {"client": client, "now": now}).mappings()]


def done(connection: Connection, client: str, memory: str, owner: str) -> None:
    """Forget a deletion that was carried out (or cannot be)."""
    connection.execute(_DONE, {"client": client, "memory": memory, "owner": owner})


def next_due(connection: Connection, client: str) -> datetime | None:
    """When the next deletion is due, of everybody that the transaction may see; None where nothing waits."""
    found: datetime | None = connection.scalar(_NEXT, {"client": client})
    return found
