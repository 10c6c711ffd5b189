"""How much waits for a person: open flags and drafts."""

from __future__ import annotations

from sqlalchemy import Connection, text

from schema.scope import Scope

_COUNTS = """
    SELECT (SELECT count(*) FROM fact_flags f WHERE {f} AND f.state = 'open' AND EXISTS (
                SELECT 1 FROM fact_versions v
                WHERE v.client = f.client AND v.fact = f.fact AND v.retired_at IS NULL)) AS flags,
           (SELECT count(*) FROM drafts d WHERE {d} AND d.state = 'draft') AS drafts
"""


def awaited(connection: Connection, scope: Scope) -> dict[str, int]:
    """The number of open ``flags`` that the review queue lists, and of ``drafts`` to decide on."""
    statement = text(_COUNTS.format(f=scope.where("f"), d=scope.where("d")))
    return dict(connection.execute(statement, scope.values).mappings().one())
