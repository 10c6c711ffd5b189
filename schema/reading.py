"""What people look at in the mirror: sessions and observations, newest first."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text


def sessions(
    connection: Connection, client: str, *, project: str | None = None, limit: int = 20
) -> list[dict[str, Any]]:
    """Sessions with their state, summary and how much the mirror holds of them."""
    statement = text("""
        SELECT s.session::text, p.name AS project, s.agent, s.agent_session, s.state, s.started_at, s.last_at,
               s.ended_at, s.end_reason, s.distil_error, m.title, m.text AS summary,
               (SELECT count(*) FROM exchanges e WHERE e.client = s.client AND e.session = s.session) AS exchanges,
               (SELECT coalesce(sum(o.count), 0) FROM observations o
                WHERE o.client = s.client AND o.session = s.session)::bigint AS calls,
               (SELECT count(*) FROM commits c WHERE c.client = s.client AND c.session = s.session
                AND c.rewritten_to IS NULL) AS commits
        FROM sessions s
        JOIN projects p ON p.client = s.client AND p.project = s.project
        LEFT JOIN session_summaries m ON m.client = s.client AND m.session = s.session
        WHERE s.client = :client AND (cast(:project AS uuid) IS NULL OR s.project = :project)
        ORDER BY s.last_at DESC LIMIT :limit
    """)
    return _rows(connection, statement, client=client, project=project, limit=limit)


def observations(
    connection: Connection,
    client: str,
    *,
    project: str | None = None,
    session: str | None = None,
    since: datetime | None = None,
    limit: int = 50,
) -> list[dict[str, Any]]:
    """Observations; ``count`` identical calls within five minutes are one. ``session`` is ours or the agent's id."""
    statement = text("""
        SELECT o.id::text, o.at, o.last_at, o.count, o.agent, o.tool, o.server, o.target, o.shape, o.outcome,
               o.exit_code, o.ms, o.files, o.subagent_type, s.agent_session AS session, p.name AS project
        FROM observations o
        JOIN projects p ON p.client = o.client AND p.project = o.project
        LEFT JOIN sessions s ON s.client = o.client AND s.session = o.session
        WHERE o.client = :client AND (cast(:project AS uuid) IS NULL OR o.project = :project)
          AND (cast(:session AS text) IS NULL OR s.agent_session = :session OR s.session::text = :session)
          AND (cast(:since AS timestamptz) IS NULL OR o.at >= :since)
        ORDER BY o.at DESC, o.id DESC LIMIT :limit
    """)
    return _rows(
        connection, statement, client=client, project=project, session=session, since=since, limit=limit
    )


def _rows(connection: Connection, statement: Any, **values: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(statement, values).mappings()]


def dispositions(connection: Connection, client: str) -> dict[str, int]:
    """How many accepted events have each disposition; all four names are there."""
    statement = text("SELECT disposition, events FROM ledger_counts WHERE client = :client")
    found: dict[str, int] = dict(connection.execute(statement, {"client": client}).all())
    return {name: found.get(name, 0) for name in ("stored", "merged", "redelivered", "quarantined")}
