"""Commits on their way into the memory: each is findable and proved, and read where no session made it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, text

from workers import distil
from workers.runtime import Runtime

AT_ONCE = 200
AT_MOST = 5  # batches, so that other tasks come between

# Also what an older version stored and left to sessions alone.
_WAITING = text("""
    SELECT id::text AS id, session, rewritten_to, proved_at FROM commits
    WHERE client = :client AND project = :project AND read_at IS NULL ORDER BY at, id LIMIT :limit
""")
_DONE = text("""
    UPDATE commits c SET read_at = now()
    FROM unnest(CAST(:ids AS uuid[]), CAST(:new AS text[])) AS seen (id, rewritten_to)
    WHERE c.client = :client AND c.id = seen.id AND c.rewritten_to IS NOT DISTINCT FROM seen.rewritten_to
""")
_UNREAD = text("SELECT DISTINCT project::text FROM commits WHERE client = :client AND read_at IS NULL")


def read(runtime: Runtime, client: str, project: str) -> bool:
    """Read a project's commits that were not yet; True where more are waiting.

    A batch is marked once all of it is found again, so that a crash between is made good. Vectors follow
    (``index.embed``).
    """
    with runtime.database.alone(client, f"commits {project}") as taken:
        if not taken:
            return False
        for _ in range(AT_MOST):
            if not _batch(runtime, client, project):
                return False
    return True


def _batch(runtime: Runtime, client: str, project: str) -> bool:
    from distill.told import distil_commits, withdraw_commits
    from recall.commits import put_commits
    from recall.run import index_event, index_facts, remove_events
    from schema.evidence import load_commits

    database = runtime.database
    with database.tenant(client) as connection:
        values = {"client": client, "project": project, "limit": AT_ONCE}
        rows: list[dict[str, Any]] = [dict(row) for row in connection.execute(_WAITING, values).mappings()]
        gone = [row["id"] for row in rows if row["rewritten_to"]]
        alone = load_commits(connection, client, [row["id"] for row in rows if row["session"] is None])
    lost = withdraw_commits(database, client, project, gone) if gone else ()
    events = distil_commits(database, client, project, alone) if alone else ()
    with database.tenant(client) as connection:
        remove_events(connection, client, lost)
        put_commits(connection, client, [row["id"] for row in rows])
        for event in events:
            index_event(connection, client, event)
    for row in rows:
        if row["proved_at"] is None:
            distil.prove(runtime, client, row["id"])
    if rows:
        index_facts(database, client, project)
    with database.tenant(client) as connection:
        new = [row["rewritten_to"] for row in rows]
        connection.execute(_DONE, {"client": client, "ids": [row["id"] for row in rows], "new": new})
    return len(rows) == AT_ONCE


def unread(connection: Connection, client: str) -> list[str]:
    """Projects with commits that were not read yet."""
    return list(connection.scalars(_UNREAD, {"client": client}))
