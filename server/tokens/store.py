"""Tokens in the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.errors import NotFound
from server.principal import Principal, Right
from server.tokens import labels
from server.tokens.token import Token, new

_ADD = text("""
    INSERT INTO tokens (client, id, hash, name, user_name, agent, projects, may, created_at, expires_at)
    VALUES (:client, :id, :hash, :name, :user, :agent, cast(:projects AS uuid[]), :may, :now, :expires)
""")
_FIND = text("SELECT * FROM tokens WHERE client = :client AND id = :id")
_LIST = text("""
    SELECT id, name, user_name, agent, projects::text[] AS projects, may, created_at, expires_at, revoked_at, used_at
    FROM tokens WHERE client = :client ORDER BY created_at DESC, id
""")
_REVOKE = text("""
    UPDATE tokens SET revoked_at = :now
    WHERE client = :client AND revoked_at IS NULL AND (id = :which OR name = :which) RETURNING id
""")
_USED = text("""
    UPDATE tokens SET used_at = :now
    WHERE client = :client AND id = :id AND (used_at IS NULL OR used_at <= :before)
""")


@dataclass(frozen=True, slots=True)
class Kept:
    """A token as it is kept: whose it is, the hash of its secret, and until when it holds."""

    principal: Principal
    hash: bytes
    expires_at: datetime | None
    revoked_at: datetime | None

    def holds(self, now: datetime) -> bool:
        """Whether it is neither revoked nor past its end."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


def create(
    connection: Connection,
    client: str,
    *,
    name: str,
    user: str,
    right: Right,
    now: datetime,
    agent: str | None = None,
    projects: Sequence[str] | None = None,
    expires: datetime | None = None,
) -> Token:
    """Keep a new token for ``user`` and return it: nobody can read its secret again. Raises BadInput for a label."""
    labels.check(name, user, agent)
    token = new(client)
    values: dict[str, Any] = {
        "client": client,
        "id": token.id,
        "hash": token.hash,
        "name": name,
        "user": user,
        "agent": agent,
    }
    values |= {"projects": None if projects is None else list(projects), "may": str(right)}
    connection.execute(_ADD, values | {"now": now, "expires": expires})
    return token


def find(connection: Connection, client: str, token_id: str) -> Kept | None:
    """Return what is kept of a token, or None where the client has none of this id."""
    row: Any = connection.execute(_FIND, {"client": client, "id": token_id}).one_or_none()
    if row is None:
        return None
    projects = None if row.projects is None else tuple(str(one) for one in row.projects)
    principal = Principal(client, row.user_name, row.agent, projects, Right(row.may), token_id)
    return Kept(principal, bytes(row.hash), row.expires_at, row.revoked_at)


def listed(connection: Connection, client: str) -> list[dict[str, Any]]:
    """Every token of the client, newest first, without hashes."""
    return [dict(row) for row in connection.execute(_LIST, {"client": client}).mappings()]


def revoke(connection: Connection, client: str, which: str, now: datetime) -> list[str]:
    """End every token with this id or name from now on; return their ids. Raises NotFound where there is none."""
    found = list(connection.scalars(_REVOKE, {"client": client, "which": which, "now": now}))
    if not found:
        raise NotFound(what="token in use called", name=which)
    return found


def used(connection: Connection, client: str, token_id: str, now: datetime, before: datetime) -> None:
    """Note that a token was used ``now``, unless that was noted since ``before``."""
    connection.execute(_USED, {"client": client, "id": token_id, "now": now, "before": before})
