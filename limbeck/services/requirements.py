"""Are the servers what we need? Postgres >= 16 with pgvector >= 0.8, Redis >= 7 or Valkey >= 8.

Each answer is one sentence that names the server without its password.
"""

from __future__ import annotations

from typing import cast
from urllib.parse import urlsplit

import psycopg
import redis

from limbeck.errors import (
    DatabaseRefused,
    DatabaseUnfit,
    DatabaseUnreachable,
    QueueRefused,
    QueueUnfit,
    QueueUnreachable,
)

POSTGRES = 16
PGVECTOR = (0, 8)
REDIS = (7,)
VALKEY = (8,)
PATIENCE = 5  # seconds to connect
# What Postgres says when it is there and does not want us, as opposed to not being there.
REFUSALS = ("authentication failed", "does not exist", "no password supplied", "pg_hba.conf", "not permitted")

VECTOR_VERSIONS = """
SELECT (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
       (SELECT default_version FROM pg_available_extensions WHERE name = 'vector')
"""


def check_postgres(url: str) -> None:
    """Raise DatabaseUnreachable, DatabaseRefused or DatabaseUnfit unless ``url`` is a fit Postgres."""
    where = place(url)
    try:
        with psycopg.connect(url.replace("+psycopg", "", 1), connect_timeout=PATIENCE) as connection:
            version = connection.info.server_version // 10_000
            installed, available = connection.execute(VECTOR_VERSIONS).fetchone() or (None, None)
    except psycopg.Error as error:
        why = _reason(str(error))
        if any(words in str(error) for words in REFUSALS):
            raise DatabaseRefused(where=where, why=why) from error
        raise DatabaseUnreachable(where=where, why=why) from error
    if version < POSTGRES:
        raise DatabaseUnfit(where=where, why=f"it is version {version} and {POSTGRES} or later is needed")
    if installed is None and available is None:
        raise DatabaseUnfit(where=where, why="pgvector is not installed there; install it (0.8 or later)")
    found = installed or available
    if _numbers(found) < PGVECTOR:
        why = f"its pgvector is {found} and 0.8 or later is needed"
        raise DatabaseUnfit(where=where, why=f"{why}; update it, then run ALTER EXTENSION vector UPDATE")


def check_redis(url: str) -> list[str]:
    """Raise QueueUnreachable, QueueRefused or QueueUnfit unless ``url`` is a fit queue.

    Returns sentences of warning about settings under which accepted events could be lost.
    """
    where = place(url)
    try:
        with redis.Redis.from_url(
            url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, decode_responses=True
        ) as connection:
            info = cast("dict[str, str]", connection.info("everything"))
    except (redis.AuthenticationError, redis.exceptions.AuthorizationError) as error:
        raise QueueRefused(where=where, why=_reason(str(error))) from error
    except redis.ResponseError as error:
        raise QueueRefused(where=where, why=_reason(str(error))) from error
    except redis.RedisError as error:
        raise QueueUnreachable(where=where, why=_reason(str(error))) from error
    except (OSError, ValueError) as error:
        raise QueueUnreachable(where=where, why=_reason(str(error))) from error
    name, found, needed = "Redis", info.get("redis_version", "0"), REDIS
    if "valkey_version" in info:
        name, found, needed = "Valkey", info["valkey_version"], VALKEY
    if _numbers(found) < needed:
        raise QueueUnfit(where=where, why=f"it is {name} {found} and {needed[0]} or later is needed")
    if str(info.get("maxmemory_policy", "")).startswith("allkeys-") and int(info.get("maxmemory", 0)) > 0:
        raise QueueUnfit(where=where, why="it evicts keys when full; set maxmemory-policy noeviction")
    if int(info.get("aof_enabled", 0)) == 0:
        return [f"Redis at {where} keeps no append-only file: a restart of it loses what waits in the queue."]
    return []


def place(url: str) -> str:
    """``url`` for a person's eyes: host, port and path, without user, password or options."""
    parts = urlsplit(url)
    if not parts.hostname:
        return parts.path or "the local socket"
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        port = ""
    return f"{parts.hostname}{port}{parts.path}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _reason(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["no reason given"]
    reason = lines[-1] if "FATAL" in lines[-1] else lines[0]
    return reason.rpartition("FATAL:")[2].strip().rstrip(".")
