"""Messages and meeting notes as units of recall."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text

from recall import index
from recall.units import spoken_date
from schema.database import Database
from schema.records import Evidence, Unit

KIND = "message"
AT_ONCE = 500

_NEW = text("""
    SELECT m.id::text AS id, m.project::text AS project, m.session::text AS session, m.kind, m.title, m.text, m.source,
           m.at
    FROM messages m
    WHERE m.client = :client AND m.project = :project
      AND (m.at, m.id) > (CAST(:at AS timestamptz), CAST(:id AS uuid))
      AND (:again OR m.indexed_at IS NULL)
    ORDER BY m.at, m.id LIMIT :limit
""")
_INDEXED = text("""
    UPDATE messages SET indexed_at = now()
    WHERE client = :client AND id = ANY(CAST(:ids AS uuid[])) AND indexed_at IS NULL
""")
_BEFORE_ALL: dict[str, Any] = {"at": "-infinity", "id": "00000000-0000-0000-0000-000000000000"}


def index_messages(database: Database, client: str, project: str, *, again: bool = False) -> int:
    """Make a project's messages findable that are not yet; return how many were written.

    With ``again`` all of them as they read now, for instance when they were cleaned. A batch is a transaction.
    """
    written, place = 0, _BEFORE_ALL
    while True:
        with database.tenant(client) as conn:
            values = {"client": client, "project": project, "limit": AT_ONCE, "again": again, **place}
            rows = conn.execute(_NEW, values).mappings().all()
            written += index.put(conn, client, [_unit(row) for row in rows])
            conn.execute(_INDEXED, {"client": client, "ids": [row["id"] for row in rows]})
        if len(rows) < AT_ONCE:
            return written
        place = {"at": rows[-1]["at"], "id": rows[-1]["id"]}


def _unit(row: Any) -> Unit:
    return Unit(
        kind=KIND,
        ref=row["id"],
        project=row["project"],
        title=row["title"],
        text=row["text"],
        at=row["at"],
        session=row["session"],
        context=f"{row['kind']} {row['source'] or ''} {spoken_date(row['at'])}",
        standing="person",
        evidence=(Evidence(row["kind"], row["id"], row["at"], row["session"]),),
    )
