"""What every page shows beside its own: the projects by name, and how much waits for a person."""

from __future__ import annotations

from sqlalchemy import Connection, text

from schema.scope import Scope

_COUNTS = """
    SELECT (SELECT count(*) FROM fact_flags f WHERE {f} AND f.state = 'open' AND EXISTS (
                SELECT 1 FROM fact_versions v
                WHERE v.client = f.client AND v.fact = f.fact AND v.retired_at IS NULL)) AS flags,
           (SELECT count(*) FROM drafts d WHERE {d} AND d.state = 'draft') AS drafts
"""

_NAMES = """
    SELECT p.project::text, p.name, coalesce(p.remote, p.root, '') AS place FROM projects p
    WHERE {p} ORDER BY p.name, p.project LIMIT :limit
"""
_HOW_MANY = "SELECT count(*) FROM projects p WHERE {p}"
MOST = 500


def names(connection: Connection, scope: Scope, most: int = MOST) -> tuple[list[tuple[str, str, str]], int]:
    """The id, the name and the place (remote, else folder) of the first projects in reach by name, and how many more
    there are.
    """
    statement = text(_NAMES.format(p=scope.where("p")))
    rows = [tuple(row) for row in connection.execute(statement, scope.values | {"limit": most})]
    if len(rows) < most:
        return rows, 0
    every = connection.scalar(text(_HOW_MANY.format(p=scope.where("p"))), scope.values) or 0
    return rows, every - len(rows)


def awaited(connection: Connection, scope: Scope) -> dict[str, int]:
    """The number of open ``flags`` that the review queue lists, and of ``drafts`` to decide on."""
    statement = text(_COUNTS.format(f=scope.where("f"), d=scope.where("d")))
    return dict(connection.execute(statement, scope.values).mappings().one())
