"""Decisions that hold no longer: events whose sentence gave facts that have all ended."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, text

# A fact and an event come from one sentence where both point at its source and at its place in it (a microsecond a
# step, see ``distill.offline.sayings``), and the event names the fact's value. What ended a fact did not give it.
# Materialised, so that each side is read once and they meet by their source: it runs with every indexed session.
ENDED = """
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
_ASKED = text(ENDED)


def ended(conn: Connection, client: str, project: str) -> dict[str, datetime]:
    """Return the events of a project that hold no longer, by id, with the time since when."""
    rows = conn.execute(_ASKED, {"client": client, "project": project})
    return {row.id: row.valid_to for row in rows}
