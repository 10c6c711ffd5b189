"""Who and what touched one file: commits, calls, sessions, events and facts."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, text

from schema.scope import Scope

_COMMITS = """
    SELECT c.id::text, c.sha, split_part(c.message, chr(10), 1) AS subject, c.author, c.at, c.session::text,
           o.added, o.deleted
    FROM code_observations o JOIN commits c ON c.client = o.client AND c.id = o.commit
    WHERE {o} AND o.path = :path AND c.rewritten_to IS NULL
    ORDER BY c.at DESC, c.id DESC LIMIT :limit
"""

# Which sessions touched the file is known from the index; those that are not in it yet are few.
_SESSIONS = """
    WITH touching AS (
        SELECT CAST(f.owner AS uuid) AS session FROM search_files f
        WHERE {f} AND f.path = :path AND f.kind = 'session'
        UNION
        SELECT s.session FROM sessions s
        WHERE {s} AND s.state <> 'distilled'
    )
    SELECT s.session::text AS id, s.agent, s.started_at, s.last_at, m.title, o.tools, o.outcomes, o.calls, o.last_call
    FROM touching t
    JOIN sessions s ON s.client = :client AND s.session = t.session
    LEFT JOIN session_summaries m ON m.client = s.client AND m.session = s.session
    CROSS JOIN LATERAL (
        SELECT array_agg(DISTINCT c.tool) AS tools, array_agg(DISTINCT c.outcome) AS outcomes,
               sum(c.count)::bigint AS calls, max(c.last_at) AS last_call
        FROM observations c
        WHERE c.client = s.client AND c.session = s.session AND (c.target = :path OR :path = ANY(c.files))
    ) o
    WHERE o.calls IS NOT NULL
    ORDER BY o.last_call DESC, s.session DESC LIMIT :limit
"""
_EVENTS = """
    SELECT e.id::text, e.kind, e.title, e.at, e.session::text FROM events e
    WHERE {e} AND :path = ANY(e.files) ORDER BY e.at DESC, e.id DESC LIMIT :limit
"""
_FACTS = """
    SELECT v.fact::text AS id, v.kind, v.statement, v.standing, v.valid_from, v.valid_to, k.freshness
    FROM fact_versions v LEFT JOIN fact_checks k ON k.client = v.client AND k.fact = v.fact
    WHERE {v} AND v.retired_at IS NULL AND v.valid_to IS DISTINCT FROM v.valid_from AND :path = ANY(v.files)
    ORDER BY v.valid_to IS NOT NULL, v.valid_from DESC, v.fact LIMIT :limit
"""


def touched(
    connection: Connection, scope: Scope, path: str, *, limit: int = 20
) -> dict[str, list[dict[str, Any]]]:
    """Return what touched ``path`` (as the repository has it): at most ``limit`` each of ``commits``, ``sessions``
    (with how many calls), ``events`` and ``facts``, the latest first.
    """
    values = scope.values | {"path": path, "limit": limit}
    parts = {alias: scope.where(alias) for alias in ("o", "f", "s", "e", "v")}
    statements = {"commits": _COMMITS, "sessions": _SESSIONS, "events": _EVENTS, "facts": _FACTS}
    return {
        name: [dict(row) for row in connection.execute(text(statement.format(**parts)), values).mappings()]
        for name, statement in statements.items()
    }
