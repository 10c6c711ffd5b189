"""What people look at in the mirror: observations, what became of events, and what is kept apart."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from schema.ids import whole_id


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
          AND (cast(:session AS text) IS NULL OR o.session = ANY (ARRAY(
               SELECT session FROM sessions WHERE client = :client AND (agent_session = :session OR session = :own))))
          AND (cast(:since AS timestamptz) IS NULL OR o.at >= :since)
        ORDER BY o.at DESC, o.id DESC LIMIT :limit
    """)
    wanted = {"session": session, "own": whole_id(session) if session else None}
    return _rows(connection, statement, client=client, project=project, since=since, limit=limit, **wanted)


def _rows(connection: Connection, statement: Any, **values: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(statement, values).mappings()]


def dispositions(connection: Connection, client: str) -> dict[str, int]:
    """How many accepted events have each disposition; all four names are there."""
    statement = text("SELECT disposition, events FROM ledger_counts WHERE client = :client")
    found: dict[str, int] = dict(connection.execute(statement, {"client": client}).all())
    return {name: found.get(name, 0) for name in ("stored", "merged", "redelivered", "quarantined")}


def clock(connection: Connection) -> datetime:
    """What time it is for the database."""
    found: datetime = connection.scalars(text("SELECT clock_timestamp()")).one()
    return found


def forgotten_again(connection: Connection, client: str, since: datetime) -> int:
    """How many events came again since ``since`` whose content was forgotten for good: they stay forgotten."""
    statement = text("""
        SELECT count(*) FROM ledger r
        WHERE r.client = :client AND r.disposition = 'redelivered' AND r.recorded_at >= :since
          AND EXISTS (SELECT FROM ledger f
                      WHERE f.client = r.client AND f.mirror = r.mirror AND f.forgotten_at IS NOT NULL)
    """)
    return int(connection.scalars(statement, {"client": client, "since": since}).one())


def quarantined(
    connection: Connection,
    client: str,
    *,
    held_only: bool = True,
    after: tuple[datetime, str] | None = None,
    limit: int = 1000,
) -> list[dict[str, Any]]:
    """Events that could not be stored, newest first, without payloads; ``after`` is where the page before ended."""
    statement = text("""
        SELECT id::text, entry, reason, attempts, state, quarantined_at FROM quarantine
        WHERE client = :client AND (state = 'held' OR NOT :held_only)
          AND (cast(:after_at AS timestamptz) IS NULL OR (quarantined_at, id) < (:after_at, cast(:after_id AS uuid)))
        ORDER BY quarantined_at DESC, id DESC LIMIT :limit
    """)
    place = {"after_at": after[0] if after else None, "after_id": after[1] if after else None}
    return _rows(connection, statement, client=client, held_only=held_only, limit=limit, **place)
