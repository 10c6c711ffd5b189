"""What agents remember under a key, in the database: one row a key and scope, its versions, and its tombstone.

Writers of one key take its row's lock, so that each knows which version it replaces. Every statement runs as one user:
row security keeps other users' scopes out of all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from recall import index
from schema.ids import new_id
from server.errors import Stale
from server.memory.clean import clean
from server.memory.scopes import Place
from server.memory.units import entry_kind, of_entry

_LOCK = text("""
    SELECT id::text AS id, version, written_by, agent, updated_at, forgotten_at FROM remembered
    WHERE client = :client AND owner = :owner AND scope = :scope AND digest = :digest FOR UPDATE
""")
_ADD = text("""
    INSERT INTO remembered (client, id, owner, scope, project, digest, key, value, version, written_by, agent,
                            created_at, updated_at)
    VALUES (:client, :id, :owner, :scope, :project, :digest, :key, :value, 1, :by, :agent, :now, :now)
    ON CONFLICT (client, owner, scope, digest) DO NOTHING RETURNING id
""")
_REPLACE = text("""
    UPDATE remembered SET key = :key, value = :value, version = version + 1, written_by = :by, agent = :agent,
        updated_at = :now, forgotten_at = NULL,
        created_at = CASE WHEN forgotten_at IS NULL THEN created_at ELSE :now END
    WHERE client = :client AND id = :id
""")
_VERSION = text("""
    INSERT INTO remembered_versions (client, id, version, owner, value, written_by, agent, written_at)
    VALUES (:client, :id, :version, :owner, :value, :by, :agent, :now)
""")
_BURY = text("""
    UPDATE remembered SET key = NULL, value = NULL, written_by = :by, agent = :agent, updated_at = :now,
        forgotten_at = :now, recalled = 0, recalled_at = NULL
    WHERE client = :client AND id = :id
""")
_DROP_VERSIONS = text("DELETE FROM remembered_versions WHERE client = :client AND id = :id")
_HISTORY = text("""
    SELECT version, value, written_by, agent, written_at FROM remembered_versions
    WHERE client = :client AND id = :id ORDER BY version DESC LIMIT :limit
""")


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes: the user a token speaks for, and the agent it is of."""

    user: str
    agent: str | None

    @property
    def values(self) -> dict[str, Any]:
        """What the statements name."""
        return {"by": self.user, "agent": self.agent}


@dataclass(frozen=True, slots=True)
class Standing:
    """A version as it stood: who wrote it (or forgot it, where ``forgotten``), and when."""

    version: int
    written_by: str
    agent: str | None
    at: datetime
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value as it was kept, and what stood there before."""

    key: str
    value: str
    version: int
    before: Standing | None


@dataclass(frozen=True, slots=True)
class Version:
    """A value that a key has or had."""

    version: int
    value: str
    written_by: str
    agent: str | None
    written_at: datetime


def remember(
    connection: Connection,
    place: Place,
    writer: Writer,
    key: str,
    value: str,
    now: datetime,
    expected: int | None = None,
) -> Entry:
    """Keep ``value`` under ``key``, redacted, and make it findable.

    ``expected`` is the version the writer has seen (0: none). Raises Stale where another stands there by now.
    """
    key, value = clean(key), clean(value)
    where = {"client": place.client, "owner": place.owner, "scope": place.scope, "digest": place.digest(key)}
    written = writer.values | {"key": key, "value": value, "now": now}
    before, identifier = _locked(connection, where)
    _check(place, key, before, expected)
    if before is None:
        identifier = new_id(int(now.timestamp() * 1000))
        new = where | written | {"id": identifier, "project": place.project}
        if connection.execute(_ADD, new).scalar() is None:  # another writer was first, and has committed
            return remember(connection, place, writer, key, value, now, expected)
    else:
        connection.execute(_REPLACE, written | {"client": place.client, "id": identifier})
    version = before.version + 1 if before else 1
    row = written | {"client": place.client, "id": identifier, "version": version, "owner": place.owner}
    connection.execute(_VERSION, row)
    unit = of_entry(place, identifier, key, value, now)
    if unit is not None:
        index.put(connection, place.client, [unit])
    return Entry(key, value, version, before)


def forget(
    connection: Connection,
    place: Place,
    writer: Writer,
    key: str,
    now: datetime,
    expected: int | None = None,
) -> Standing | None:
    """Forget ``key``: its values go, who forgot it and when stays. Return what stood there, None where nothing did.

    Raises Stale where ``expected`` is another version than what stands there.
    """
    where = {"client": place.client, "owner": place.owner, "scope": place.scope}
    before, identifier = _locked(connection, where | {"digest": place.digest(clean(key))})
    if before is None or before.forgotten:
        return before
    _check(place, key, before, expected)
    values = {"client": place.client, "id": identifier}
    connection.execute(_BURY, values | writer.values | {"now": now})
    connection.execute(_DROP_VERSIONS, values)
    index.remove(connection, place.client, entry_kind(place), [identifier])
    return before


def history(connection: Connection, place: Place, key: str, limit: int = 50) -> list[Version]:
    """Return the values ``key`` has and had, the newest first; none where it is not remembered."""
    where = {
        "client": place.client,
        "owner": place.owner,
        "scope": place.scope,
        "digest": place.digest(clean(key)),
    }
    _, identifier = _locked(connection, where)
    if not identifier:
        return []
    rows = connection.execute(_HISTORY, {"client": place.client, "id": identifier, "limit": limit})
    return [Version(*row) for row in rows]


def _locked(connection: Connection, where: dict[str, Any]) -> tuple[Standing | None, str]:
    row = connection.execute(_LOCK, where).first()
    if row is None:
        return None, ""
    forgotten = row.forgotten_at is not None
    return Standing(row.version, row.written_by, row.agent, row.updated_at, forgotten), row.id


def _check(place: Place, key: str, before: Standing | None, expected: int | None) -> None:
    """Raise Stale unless what stands there is the version that was expected (None: whatever it is)."""
    live = before is not None and not before.forgotten
    if expected is None or (expected == 0 and not live):
        return
    if before is None:
        raise Stale(
            why=f"nothing is remembered as `{key}` in `{place.shown}`, so it has no version {expected}"
        )
    if not live or before.version != expected:
        raise Stale(why=f"`{key}` in `{place.shown}` {told(before)}, not at version {expected}")


def told(standing: Standing) -> str:
    """What stands there, in words."""
    who = standing.written_by + (f" ({standing.agent})" if standing.agent else "")
    at = f"{standing.at:%Y-%m-%d %H:%M} UTC"
    if standing.forgotten:
        return f"was forgotten by {who} on {at}"
    return f"is at version {standing.version}, written by {who} on {at}"
