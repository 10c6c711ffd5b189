"""What was changed and is to be indexed anew: noted in the transaction of the change, struck off when it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from sqlalchemy import Connection, text

from recall import index
from recall.commits import index_commits
from recall.documents import index_documents
from recall.items import index_items
from recall.messages import index_messages
from recall.run import index_event, index_facts, index_session
from schema.database import Database
from schema.errors import NotFound

SESSION, PROJECT = "session", "project"
AT_ONCE = 500

_NOTE = text("""
    INSERT INTO reindex (client, kind, ref) SELECT :client, :kind, unnest(CAST(:refs AS uuid[])) ON CONFLICT DO NOTHING
""")
_WAITING = text("SELECT kind, ref::text FROM reindex WHERE client = :client ORDER BY kind, ref")
_EVERYTHING = text("""
    INSERT INTO reindex (client, kind, ref)
    SELECT client, 'session', session FROM sessions WHERE client = :client
    UNION ALL SELECT client, 'project', project FROM projects WHERE client = :client
    ON CONFLICT DO NOTHING
""")
# What no unit accounts for any more. A lexeme that no unit of its kind has is nobody's.
_LOOSE = tuple(
    text(statement)
    for statement in (
        """
        WITH used AS MATERIALIZED (
            SELECT DISTINCT project, kind, unnest(lexemes) COLLATE "C" AS lexeme
            FROM search_units WHERE client = :client)
        DELETE FROM search_postings p WHERE p.client = :client AND NOT EXISTS (
            SELECT FROM used u WHERE u.project = p.project AND u.kind = p.kind AND u.lexeme = p.lexeme)
        """,
        """
        DELETE FROM search_files f WHERE f.client = :client AND NOT EXISTS (
            SELECT FROM search_units u WHERE u.client = f.client AND u.unit = f.unit AND f.path = ANY(u.files))
        """,
        """
        DELETE FROM search_vectors v WHERE v.client = :client AND NOT EXISTS (
            SELECT FROM search_units u WHERE u.client = v.client AND u.unit = v.unit)
        """,
        """
        DELETE FROM search_stats s WHERE s.client = :client AND NOT EXISTS (
            SELECT FROM search_units u WHERE u.client = s.client AND u.project = s.project AND u.kind = s.kind)
        """,
    )
)
_DONE = text("DELETE FROM reindex WHERE client = :client AND kind = :kind AND ref = :ref")


def note(conn: Connection, client: str, kind: str, refs: Iterable[str]) -> None:
    """Note sessions or projects (``kind`` says which) whose units are to be made anew."""
    conn.execute(_NOTE, {"client": client, "kind": kind, "refs": sorted(refs)})


def note_everything(database: Database, client: str) -> None:
    """Note every session and project, and have the words of every unit written anew, also where they are the same."""
    with database.everyone(client) as conn:
        conn.execute(_EVERYTHING, {"client": client})
        index.suspect(conn, client)


def settle(database: Database, client: str) -> int:
    """After everything was indexed: units that nothing made anew stand by their own words, what no unit has goes.

    Returns how many units were written anew.
    """
    written = 0
    while True:
        with database.everyone(client) as conn:
            units = index.suspected(conn, client, AT_ONCE)
            for event in [unit.ref for unit in units if unit.kind == "event"]:
                index_event(conn, client, event)
            left = {(unit.kind, unit.ref) for unit in index.suspected(conn, client, AT_ONCE)}
            written += index.put(conn, client, [unit for unit in units if (unit.kind, unit.ref) in left])
        if len(units) < AT_ONCE:
            break
    with database.everyone(client) as conn:
        for statement in _LOOSE:
            conn.execute(statement, {"client": client})
    return written


def index_noted(
    database: Database,
    client: str,
    *,
    facts: bool = True,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> int:
    """Index what is noted, also by a run that was interrupted; return how many units were written anew.

    Without ``facts`` a session's are left to its project, which is noted too. ``progress`` hears how many sessions and
    projects of how many are done.
    """
    with database.tenant(client) as conn:
        waiting = conn.execute(_WAITING, {"client": client}).all()
    written = 0
    for number, (kind, ref) in enumerate(waiting):
        progress(number, len(waiting))
        if kind == SESSION:
            with suppress(NotFound):
                written += index_session(database, client, ref, facts=facts)
        else:
            written += index_facts(database, client, ref) + index_items(database, client, ref)
            written += index_documents(database, client, ref) + index_commits(database, client, ref)
            written += index_messages(database, client, ref, again=True)
        with database.tenant(client) as conn:
            conn.execute(_DONE, {"client": client, "kind": kind, "ref": ref})
    return written
