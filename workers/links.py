"""From a commit to the session and the prompt that led to it, with how sure we are.

``environment``: the committing agent told its session. ``observation``: a `git commit` call of the project stands
within a minute of it. ``time``: some session of the project was at work then, and had not ended.
A session can be of another project than what it did; nobody held to a project (its name for a session tells, ``HELD``)
reaches one that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, text

from schema.ids import HELD
from workers.lifecycle import Effect, Signal, State, transition

BY_ENVIRONMENT = """
    SELECT s.session::text, s.state FROM sessions s
    WHERE s.client = :client AND s.agent_session = :hint AND s.agent <> 'git'
    ORDER BY s.last_at DESC LIMIT 1 FOR UPDATE OF s
"""
BY_OBSERVATION = """
    SELECT s.session::text, s.state FROM observations o
    JOIN sessions s ON s.client = o.client AND s.session = o.session
    WHERE o.client = :client AND o.project = :project AND o.outcome <> 'failed'
      AND o.at BETWEEN :at - interval '10 seconds' AND :at + interval '60 seconds'
      AND o.shape LIKE '%git%commit%' AND (s.project = o.project OR NOT cast(:held AS boolean))
    ORDER BY abs(extract(epoch FROM o.at - :at)) LIMIT 1 FOR UPDATE OF s
"""
BY_TIME = """
    SELECT s.session::text, s.state FROM sessions s
    WHERE s.client = :client AND s.project = :project
      AND :at BETWEEN s.started_at AND coalesce(s.ended_at + interval '30 seconds', s.last_at + interval '10 minutes')
    ORDER BY s.last_at DESC LIMIT 1 FOR UPDATE OF s
"""
WAYS = (("environment", BY_ENVIRONMENT), ("observation", BY_OBSERVATION), ("time", BY_TIME))


def link(connection: Connection, client: str, commits: Mapping[str, str | None]) -> set[str]:
    """Link commit rows (id to the session its agent told) and return the sessions to distil again."""
    due = set()
    for row, hint in commits.items():
        at, project, received_at = connection.execute(
            text("SELECT at, project, received_at FROM commits WHERE client = :client AND id = :id"),
            {"client": client, "id": row},
        ).one()
        for way, query in WAYS:
            if way == "environment" and not hint:
                continue
            held = HELD in (hint or "")
            values = {"client": client, "hint": hint, "project": project, "at": at, "held": held}
            found = connection.execute(text(query), values).first()
            if found is not None:
                session, state = found
                _join(connection, client, row, received_at, session, way)
                if _late(connection, client, session, State(state)):
                    due.add(session)
                break
    return due


def _join(connection: Connection, client: str, row: str, received_at: object, session: str, way: str) -> None:
    connection.execute(
        text("""
            UPDATE commits c SET session = :session, link = :way, exchange = (
                SELECT e.id FROM exchanges e
                WHERE e.client = :client AND e.session = :session AND e.role = 'person' AND e.at <= c.at
                ORDER BY e.at DESC LIMIT 1)
            WHERE c.client = :client AND c.id = :row AND c.received_at = :received_at
        """),
        {"client": client, "session": session, "way": way, "row": row, "received_at": received_at},
    )
    connection.execute(
        text("""
            UPDATE code_observations o SET session = :session
            FROM commits c WHERE c.client = :client AND c.id = :row AND c.received_at = :received_at
              AND o.client = c.client AND o.project = c.project AND o.at = c.at
              AND o.received_at = c.received_at AND o.commit = c.id
        """),
        {"client": client, "session": session, "row": row, "received_at": received_at},
    )


def _late(connection: Connection, client: str, session: str, state: State) -> bool:
    """A commit of a session that has ended: distil it again."""
    moved, effect = transition(state, Signal.LATE)
    connection.execute(
        text("""
            UPDATE sessions SET state = :state, seen_at = clock_timestamp()
            WHERE client = :client AND session = :session
        """),
        {"state": moved.value, "client": client, "session": session},
    )
    return effect is Effect.DISTIL


def rewritten(
    connection: Connection, client: str, project: str, pairs: Iterable[Sequence[str]], hint: str | None
) -> set[str]:
    """Follow commits that were replaced: their sessions are distilled again, what stands for them is proved again."""
    told = list(pairs)
    values = {
        "client": client,
        "project": project,
        "held": HELD in (hint or ""),
        "old": [old for old, _ in told],
        "new": [new for _, new in told],
    }
    connection.execute(
        text("""
            UPDATE commits SET proved_at = NULL
            WHERE client = :client AND project = :project AND sha = ANY(:new) AND proved_at IS NOT NULL
        """),
        values,
    )
    rows = connection.execute(
        text("""
            SELECT s.session::text, s.state FROM sessions s
            WHERE s.client = :client AND (s.project = :project OR NOT cast(:held AS boolean)) AND s.session IN (
                SELECT c.session FROM commits c
                WHERE c.client = :client AND c.project = :project AND c.sha = ANY(:old))
            ORDER BY s.session FOR UPDATE
        """),
        values,
    ).all()
    return {session for session, state in rows if _late(connection, client, session, State(state))}


def unproved(connection: Connection, client: str, limit: int) -> list[str]:
    """Commits whose files were not yet brought into the facts, oldest first."""
    statement = text("""
        SELECT id::text FROM commits WHERE client = :client AND proved_at IS NULL ORDER BY id LIMIT :limit
    """)
    return list(connection.scalars(statement, {"client": client, "limit": limit}))
