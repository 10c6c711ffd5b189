"""Visits and one-time links in the database."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from server.web.visits.visit import Secret

_OPEN = text("""
    INSERT INTO visits (client, id, hash, token, created_at, seen_at, expires_at)
    VALUES (:client, :id, :hash, :token, :now, :now, :expires)
""")
_FIND = text(
    "SELECT hash, token, seen_at FROM visits WHERE client = :client AND id = :id AND expires_at > :now"
)
_SEEN = text("UPDATE visits SET seen_at = :now WHERE client = :client AND id = :id AND seen_at < :before")
_CLOSE = text("DELETE FROM visits WHERE client = :client AND id = :id")
_TIDY = text("DELETE FROM visits WHERE client = :client AND (expires_at <= :now OR seen_at <= :idle)")
_LINK = text("""
    INSERT INTO visit_links (client, id, hash, token, expires_at)
    VALUES (:client, :id, :hash, :token, :expires)
""")
_FOLLOW = text("""
    DELETE FROM visit_links WHERE client = :client AND id = :id AND hash = :hash AND expires_at > :now RETURNING token
""")
_TIDY_LINKS = text("DELETE FROM visit_links WHERE client = :client AND expires_at <= :now")


def begin(
    connection: Connection, secret: Secret, token: str, now: datetime, expires: datetime, idle: datetime
) -> None:
    """Keep a new visit made with ``token``; what has ended (or was last seen before ``idle``) goes."""
    connection.execute(_TIDY, {"client": secret.client, "now": now, "idle": idle})
    values = {"client": secret.client, "id": secret.id, "hash": secret.hash, "token": token}
    connection.execute(_OPEN, values | {"now": now, "expires": expires})


def find(connection: Connection, secret: Secret, now: datetime) -> tuple[bytes, str, datetime] | None:
    """The kept hash, the token's id and when the visit was last seen; None where there is no such visit now."""
    row: Any = connection.execute(_FIND, {"client": secret.client, "id": secret.id, "now": now}).one_or_none()
    return None if row is None else (bytes(row.hash), row.token, row.seen_at)


def seen(connection: Connection, secret: Secret, now: datetime, before: datetime) -> None:
    """Note that a visit goes on, unless that was noted since ``before``."""
    connection.execute(_SEEN, {"client": secret.client, "id": secret.id, "now": now, "before": before})


def end(connection: Connection, secret: Secret) -> None:
    """Close a visit; a second time changes nothing."""
    connection.execute(_CLOSE, {"client": secret.client, "id": secret.id})


def keep_link(connection: Connection, secret: Secret, token: str, now: datetime, expires: datetime) -> None:
    """Keep a one-time link for ``token``; those that ended go."""
    connection.execute(_TIDY_LINKS, {"client": secret.client, "now": now})
    values = {"client": secret.client, "id": secret.id, "hash": secret.hash, "token": token}
    connection.execute(_LINK, values | {"expires": expires})


def follow(connection: Connection, secret: Secret, now: datetime) -> str | None:
    """Use a link up and return its token's id; None where it was used, has ended or never was."""
    values = {"client": secret.client, "id": secret.id, "hash": secret.hash, "now": now}
    found: str | None = connection.scalar(_FOLLOW, values)
    return found
