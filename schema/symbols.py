"""What commits did to functions, methods, classes and types: by file, and lately.

A commit that an amend or a rebase replaced does not count. Complexity is cyclomatic, as lizard counts it; it is None
where nothing could be measured. What the mirror never saw changed (older than the capture, never imported with
``limbeck import --git``) is not here.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.scope import Scope

_OF_FILE = """
    SELECT * FROM (
        SELECT DISTINCT ON (s.project, s.kind, s.name) p.name AS project, s.path, s.name, s.kind, s.change,
               s.first_line, s.last_line, s.complexity_after AS complexity, s.sha, s.at AS changed_at, s.id::text,
               count(*) OVER (PARTITION BY s.project, s.kind, s.name) AS commits
        FROM symbols s JOIN projects p ON p.client = s.client AND p.project = s.project
        WHERE {scope} AND s.path = :path AND {standing}
        ORDER BY s.project, s.kind, s.name, s.at DESC, s.received_at DESC, s.id DESC
    ) latest
    WHERE change <> 'removed' ORDER BY project, first_line, name LIMIT :limit
"""
_CHANGES = """
    SELECT p.name AS project, s.path, s.name, s.kind, s.change, s.first_line, s.last_line, s.complexity_before,
           s.complexity_after, s.sha, s.at, s.id::text, c.session::text, c.author,
           split_part(c.message, chr(10), 1) AS message
    FROM symbols s JOIN projects p ON p.client = s.client AND p.project = s.project
    LEFT JOIN LATERAL (
        SELECT session, author, message FROM commits c
        WHERE c.client = s.client AND c.project = s.project AND c.sha = s.sha LIMIT 1
    ) c ON true
    WHERE {scope} AND {condition} AND {standing}
    ORDER BY s.at DESC, s.received_at DESC, s.path, s.change DESC, s.first_line LIMIT :limit
"""


def not_replaced(alias: str) -> str:
    """The condition that the commit of a row (with its hash in ``sha``) was not replaced by an amend or a rebase.

    The commit is found by its hash: it may have gone with an older month than what is told of it.
    """
    return (
        f"NOT EXISTS (SELECT FROM commits r WHERE r.client = {alias}.client AND r.project = {alias}.project "
        f"AND r.sha = {alias}.sha AND r.rewritten_to IS NOT NULL)"
    )


def of_file(connection: Connection, scope: Scope, path: str, *, limit: int = 500) -> list[dict[str, Any]]:
    """The symbols of the file at ``path`` as their latest commits left them, by line; removed ones are not there.

    Each with its lines at that commit, its complexity, the commit and how many commits changed it.
    """
    statement = _OF_FILE.format(scope=scope.where("s"), standing=not_replaced("s"))
    return _rows(connection, statement, scope, path=path, limit=limit)


def changed_lately(
    connection: Connection,
    scope: Scope,
    *,
    since: datetime | None = None,
    path: str | None = None,
    limit: int = 50,
) -> list[dict[str, Any]]:
    """Changes of symbols, newest first, each with its commit; ``since`` is in event time, ``path`` a file."""
    condition = """
        (cast(:since AS timestamptz) IS NULL OR s.at >= :since) AND (cast(:path AS text) IS NULL OR s.path = :path)
    """
    statement = _CHANGES.format(scope=scope.where("s"), condition=condition, standing=not_replaced("s"))
    return _rows(connection, statement, scope, since=since, path=path, limit=limit)


def _rows(connection: Connection, statement: str, scope: Scope, **values: Any) -> list[dict[str, Any]]:
    rows = connection.execute(text(statement), scope.values | values).mappings()
    return [dict(row) for row in rows]
