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
MOST = 500


def names(connection: Connection, scope: Scope) -> list[tuple[str, str, str]]:
    """The id, the name and the place (remote, else folder) of each project in reach, by name."""
    rows = connection.execute(text(_NAMES.format(p=scope.where("p"))), scope.values | {"limit": MOST})
    return [tuple(row) for row in rows]


def awaited(connection: Connection, scope: Scope) -> dict[str, int]:
    """The number of open ``flags`` that the review queue lists, and of ``drafts`` to decide on."""
    statement = text(_COUNTS.format(f=scope.where("f"), d=scope.where("d")))
    return dict(connection.execute(statement, scope.values).mappings().one())
