"""Which files change most: from what commits did to them, each commit counted once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.scope import Scope

_HOTSPOTS = """
    SELECT p.name AS project, o.path, count(DISTINCT c.sha) AS commits, coalesce(sum(o.added), 0)::bigint AS added,
           coalesce(sum(o.deleted), 0)::bigint AS deleted, count(DISTINCT c.author) AS authors, max(c.at) AS last_at
    FROM code_observations o
    JOIN commits c ON c.client = o.client AND c.id = o.commit
    JOIN projects p ON p.client = o.client AND p.project = o.project
    WHERE {scope} AND c.rewritten_to IS NULL
      AND (cast(:since AS timestamptz) IS NULL OR c.at >= :since)
    GROUP BY p.name, o.project, o.path
    ORDER BY count(DISTINCT c.sha) DESC, sum(coalesce(o.added, 0) + coalesce(o.deleted, 0)) DESC, o.path
    LIMIT :limit
"""


def hotspots(
    connection: Connection, scope: Scope, *, since: datetime | None = None, limit: int = 20
) -> list[dict[str, Any]]:
    """Files by the number of commits that touched them, then by lines changed.

    A commit that an amend or a rebase replaced does not count; ``since`` is in event time.
    """
    rows = connection.execute(
        text(_HOTSPOTS.format(scope=scope.where("o"))), scope.values | {"since": since, "limit": limit}
    ).mappings()
    return [dict(row) for row in rows]
