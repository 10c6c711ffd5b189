"""Which files change most: from what commits did to them, each commit counted once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.scope import Scope
from schema.symbols import not_replaced

# Complexity as the file's latest measured commit left it, against what it was before the first one since then.
_HOTSPOTS = """
    WITH churn AS (
        SELECT o.project, o.path, count(DISTINCT c.sha) AS commits, coalesce(sum(o.added), 0)::bigint AS added,
               coalesce(sum(o.deleted), 0)::bigint AS deleted, count(DISTINCT c.author) AS authors,
               max(c.at) AS last_at
        FROM code_observations o JOIN commits c ON c.client = o.client AND c.id = o.commit
        WHERE {scope} AND c.rewritten_to IS NULL AND (cast(:since AS timestamptz) IS NULL OR c.at >= :since)
        GROUP BY o.project, o.path
        ORDER BY count(DISTINCT c.sha) DESC, sum(coalesce(o.added, 0) + coalesce(o.deleted, 0)) DESC, o.path
        LIMIT :limit
    )
    SELECT p.name AS project, c.path, c.commits, c.added, c.deleted, c.authors, c.last_at, latest.complexity,
           latest.functions, latest.complexity - earliest.complexity AS complexity_change
    FROM churn c
    JOIN projects p ON p.client = :client AND p.project = c.project
    LEFT JOIN LATERAL (
        SELECT m.complexity_after AS complexity, m.functions_after AS functions FROM measures m
        WHERE m.client = :client AND m.project = c.project AND m.path = c.path AND m.complexity_after IS NOT NULL
          AND {standing}
        ORDER BY m.at DESC, m.received_at DESC, m.id DESC LIMIT 1
    ) latest ON true
    LEFT JOIN LATERAL (
        SELECT m.complexity_before AS complexity FROM measures m
        WHERE m.client = :client AND m.project = c.project AND m.path = c.path AND m.complexity_before IS NOT NULL
          AND (cast(:since AS timestamptz) IS NULL OR m.at >= :since) AND {standing}
        ORDER BY m.at, m.received_at, m.id LIMIT 1
    ) earliest ON true
    ORDER BY c.commits DESC, c.added + c.deleted DESC, c.path
"""


def hotspots(
    connection: Connection, scope: Scope, *, since: datetime | None = None, limit: int = 20
) -> list[dict[str, Any]]:
    """Files by the number of commits that touched them, then by lines changed.

    A commit that an amend or a rebase replaced does not count; ``since`` is in event time. ``complexity`` is the sum
    over the file's ``functions``, ``complexity_change`` what it grew by; all None where nothing was measured.
    """
    statement = _HOTSPOTS.format(scope=scope.where("o"), standing=not_replaced("m"))
    rows = connection.execute(text(statement), scope.values | {"since": since, "limit": limit}).mappings()
    return [dict(row) for row in rows]
