"""Decisions that hold no longer: events whose sentence gave facts that have all ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, text

from schema.outdated import ENDED

_MARK = text(f"""
    WITH ended AS MATERIALIZED ({ENDED})
    UPDATE search_units u SET current = n.valid_to IS NULL, valid_to = n.valid_to
    FROM (SELECT o.unit, ended.valid_to FROM search_units o LEFT JOIN ended ON ended.id = o.ref
          WHERE o.client = :client AND o.project = :project AND o.kind = 'event'
            AND o.valid_to IS DISTINCT FROM ended.valid_to) AS n
    WHERE u.client = :client AND u.unit = n.unit
""")  # noqa: S608 - constants of ours
_MARKED = text("""
    SELECT ref, valid_to FROM search_units
    WHERE client = :client AND kind = 'event' AND ref = ANY(:ids) AND NOT current
""")


def mark(conn: Connection, client: str, project: str) -> int:
    """Bring what the index says of a project's events in step with its facts; return how many changed."""
    return conn.execute(_MARK, {"client": client, "project": project}).rowcount


def marked(conn: Connection, client: str, ids: Sequence[str]) -> dict[str, datetime | None]:
    """Return which of the events ``ids`` hold no longer by what the index says, with the time since when."""
    rows = conn.execute(_MARKED, {"client": client, "ids": list(ids)}) if ids else ()
    return {row.ref: row.valid_to for row in rows}
