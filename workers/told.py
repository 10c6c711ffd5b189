"""Messages and notes on their way into the memory: what a person wrote down gives events and facts, once."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text

from workers import index
from workers.runtime import Runtime

AT_ONCE = 200

# Also what an older version made findable and did not read.
_WAITING = text("""
    SELECT m.id::text AS id, m.kind, m.text, m.at, m.session::text AS session FROM messages m
    WHERE m.client = :client AND m.project = :project
      AND (m.at, m.id) > (CAST(:at AS timestamptz), CAST(:after AS uuid))
      AND m.told_at IS NULL
    ORDER BY m.at, m.id LIMIT :limit
""")
_DONE = text("""
    UPDATE messages SET told_at = now()
    WHERE client = :client AND id = ANY(CAST(:ids AS uuid[])) AND told_at IS NULL
""")
_BEFORE_ALL: dict[str, Any] = {"at": "-infinity", "after": "00000000-0000-0000-0000-000000000000"}


def messages(runtime: Runtime, client: str, project: str) -> int:
    """Distil a project's messages that were not yet, and index what they gave; return how many events.

    A batch is marked once all of it is found again, so that a crash between is made good.
    """
    from distill.told import Told, distil_told
    from recall.run import index_event

    database, given, place = runtime.database, 0, _BEFORE_ALL
    while True:
        with database.tenant(client) as connection:
            values = {"client": client, "project": project, "limit": AT_ONCE, **place}
            waiting = [Told(**row) for row in connection.execute(_WAITING, values).mappings()]
        events = distil_told(database, client, project, waiting) if waiting else ()
        with database.tenant(client) as connection:
            for event in events:
                index_event(connection, client, event)
        if waiting:
            index.facts(runtime, client, project)
            with database.tenant(client) as connection:
                connection.execute(_DONE, {"client": client, "ids": [one.id for one in waiting]})
        given += len(events)
        if len(waiting) < AT_ONCE:
            return given
        place = {"at": waiting[-1].at, "after": waiting[-1].id}
