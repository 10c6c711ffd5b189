"""Decisions that hold no longer: events whose sentence gave facts that have all ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, text

# A fact and an event come from one sentence where both point at its source and at its place in it (a microsecond a
# step, see ``distill.offline.sayings``), and the event names the fact's value. What ended a fact did not give it.
# Materialised, so that each side is read once and they meet by their source: it runs with every indexed session.
_ENDED = """
    WITH told AS MATERIALIZED (
        SELECT e.id, lower(e.title || ' ' || e.text) AS words, p ->> 'id' AS source,
               CAST(p ->> 'at' AS timestamptz) AS at
        FROM events e, jsonb_array_elements(e.evidence) AS p
        WHERE e.client = :client AND e.project = :project AND e.kind IN ('decision', 'convention')
    ), gave AS MATERIALIZED (
        SELECT p ->> 'id' AS source, CAST(p ->> 'at' AS timestamptz) AS at, lower(f.value) AS value, f.attribute,
               f.valid_to
        FROM fact_versions f, jsonb_array_elements(f.evidence) AS p
        WHERE f.client = :client AND f.project = :project AND f.retired_at IS NULL
          AND (f.valid_to IS NULL OR CAST(p ->> 'at' AS timestamptz) < f.valid_to)
    )
    SELECT told.id::text AS id, max(gave.valid_to) AS valid_to
    FROM told JOIN gave ON gave.source = told.source
      AND gave.at >= told.at AND gave.at < told.at + interval '16 microseconds'
      AND (gave.attribute = 'rule' OR strpos(told.words, gave.value) > 0)
    GROUP BY told.id HAVING bool_and(gave.valid_to IS NOT NULL)
"""
_MARK = text(f"""
    WITH ended AS MATERIALIZED ({_ENDED})
    UPDATE search_units u SET current = n.valid_to IS NULL, valid_to = n.valid_to
    FROM (SELECT o.unit, ended.valid_to FROM search_units o LEFT JOIN ended ON ended.id = o.ref
          WHERE o.client = :client AND o.project = :project AND o.kind = 'event'
            AND o.valid_to IS DISTINCT FROM ended.valid_to) AS n
    WHERE u.client = :client AND u.unit = n.unit
""")  # noqa: S608 - constants of ours
_ASKED = text(_ENDED)
_MARKED = text("""
    SELECT ref, valid_to FROM search_units
    WHERE client = :client AND kind = 'event' AND ref = ANY(:ids) AND NOT current
""")


def ended(conn: Connection, client: str, project: str) -> dict[str, datetime]:
    """Return the events of a project that hold no longer, by id, with the time since when."""
    rows = conn.execute(_ASKED, {"client": client, "project": project})
    return {row.id: row.valid_to for row in rows}


def mark(conn: Connection, client: str, project: str) -> int:
    """Bring what the index says of a project's events in step with its facts; return how many changed."""
    return conn.execute(_MARK, {"client": client, "project": project}).rowcount


def marked(conn: Connection, client: str, ids: Sequence[str]) -> dict[str, datetime | None]:
    """Return which of the events ``ids`` hold no longer by what the index says, with the time since when."""
    rows = conn.execute(_MARKED, {"client": client, "ids": list(ids)}) if ids else ()
    return {row.ref: row.valid_to for row in rows}
