"""Reading what is remembered: by literal text, newest first, inside a budget; every reading is counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from recall.fence import harmless
from server.memory.scopes import Place

_FIND = text(r"""
    SELECT id::text AS id, key, value, version, written_by, agent, created_at, updated_at, recalled,
           count(*) OVER () AS total
    FROM remembered
    WHERE client = :client AND owner = :owner AND scope = :scope AND forgotten_at IS NULL
      AND (:pattern = '' OR key ILIKE :pattern ESCAPE '\' OR value ILIKE :pattern ESCAPE '\')
    ORDER BY updated_at DESC, id DESC LIMIT :limit
""")
_COUNT = text("""
    WITH these AS (
        SELECT id FROM remembered WHERE client = :client AND id = ANY(CAST(:ids AS uuid[])) ORDER BY id FOR UPDATE
    )
    UPDATE remembered r SET recalled = recalled + 1, recalled_at = :now
    FROM these WHERE r.client = :client AND r.id = these.id
""")
VALUE_CHARS = 500
LEAST_CHARS = 40
CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Recalled:
    """What is remembered under a key. ``chars`` is the value's full length; ``recalled`` counts earlier readings."""

    key: str
    value: str
    chars: int
    cut: bool
    version: int
    written_by: str
    agent: str | None
    created_at: datetime
    updated_at: datetime
    recalled: int


@dataclass(frozen=True, slots=True)
class Found:
    """The entries shown, and how many there are in all."""

    entries: tuple[Recalled, ...]
    total: int


def find(
    connection: Connection, place: Place, query: str, now: datetime, *, limit: int, tokens: int, chars: int
) -> Found:
    """Return what is remembered in ``place`` and holds ``query`` in key or value, letter case aside.

    At most ``limit`` entries and about ``tokens`` tokens of text; of each value at most ``chars`` characters.
    """
    where = {"client": place.client, "owner": place.owner, "scope": place.scope}
    rows = connection.execute(_FIND, where | {"pattern": holding(query), "limit": limit}).all()
    left = tokens * CHARS_PER_TOKEN
    shown: list[Recalled] = []
    ids: list[str] = []
    for row in rows:
        room = min(chars, left - len(row.key))
        if shown and room < min(LEAST_CHARS, len(row.value)):
            break
        value = cut(harmless(row.value), max(room, LEAST_CHARS))
        left -= len(row.key) + len(value)
        ids.append(row.id)
        shown.append(
            Recalled(
                key=harmless(row.key),
                value=value,
                chars=len(row.value),
                cut=len(row.value) > max(room, LEAST_CHARS),
                version=row.version,
                written_by=row.written_by,
                agent=row.agent,
                created_at=row.created_at,
                updated_at=row.updated_at,
                recalled=row.recalled,
            )
        )
    if ids:
        connection.execute(_COUNT, {"client": place.client, "ids": ids, "now": now})
    return Found(tuple(shown), rows[0].total if rows else 0)


def holding(query: str) -> str:
    """The LIKE pattern of texts that hold ``query`` as it is; empty for an empty query."""
    escaped = query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%" if query else ""


def cut(value: str, chars: int) -> str:
    """``value``, or its beginning and a mark that tells how long the whole is."""
    return value if len(value) <= chars else f"{value[:chars].rstrip()} [cut: {len(value)} characters in all]"
