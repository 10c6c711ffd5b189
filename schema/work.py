"""Which agent touched which file lately, from what its calls named."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.scope import Scope

LOOKED_AT = 2_000  # of each project's latest calls

_WORK = """
    WITH latest AS MATERIALIZED (
        SELECT l.* FROM projects p CROSS JOIN LATERAL (
            SELECT o.project, o.agent, o.session, o.target, o.files, o.count, o.at FROM observations o
            WHERE o.client = p.client AND o.project = p.project
              AND (cast(:since AS timestamptz) IS NULL OR o.at >= :since)
            ORDER BY o.at DESC LIMIT :looked
        ) AS l WHERE {scope}
    ), named AS (
        SELECT l.project, l.agent, l.session, l.count, l.at, f.path
        FROM latest l CROSS JOIN LATERAL unnest(
            CASE WHEN l.files = '{{}}' THEN ARRAY[l.target] ELSE l.files END) AS f (path)
        WHERE f.path IS NOT NULL
    )
    SELECT n.path, n.agent, p.name AS project, sum(n.count)::bigint AS calls, count(DISTINCT n.session) AS sessions,
           max(n.at) AS last_at
    FROM named n JOIN projects p ON p.client = :client AND p.project = n.project
    GROUP BY n.path, n.agent, p.name
    ORDER BY sum(n.count) DESC, max(n.at) DESC, n.path, n.agent LIMIT :limit
"""


def work(
    connection: Connection, scope: Scope, *, since: datetime | None = None, limit: int = 30
) -> list[dict[str, Any]]:
    """Files with the agent whose calls named them, the most called first; of each project's latest calls."""
    values = scope.values | {"since": since, "looked": LOOKED_AT, "limit": limit}
    rows = connection.execute(text(_WORK.format(scope=scope.where("p"))), values).mappings()
    return [dict(row) for row in rows]
