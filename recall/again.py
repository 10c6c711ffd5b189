"""What was changed and is to be indexed anew: noted in the transaction of the change, struck off when it is done."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from sqlalchemy import Connection, text

from recall.documents import index_documents
from recall.items import index_items
from recall.messages import index_messages
from recall.run import index_facts, index_session
from schema.database import Database
from schema.errors import NotFound

SESSION, PROJECT = "session", "project"

_NOTE = text("""
    INSERT INTO reindex (client, kind, ref) SELECT :client, :kind, unnest(CAST(:refs AS uuid[])) ON CONFLICT DO NOTHING
""")
_WAITING = text("SELECT kind, ref::text FROM reindex WHERE client = :client ORDER BY kind, ref")
_DONE = text("DELETE FROM reindex WHERE client = :client AND kind = :kind AND ref = :ref")


def note(conn: Connection, client: str, kind: str, refs: Iterable[str]) -> None:
    """Note sessions or projects (``kind`` says which) whose units are to be made anew."""
    conn.execute(_NOTE, {"client": client, "kind": kind, "refs": sorted(refs)})


def index_noted(database: Database, client: str) -> int:
    """Index what is noted, also by a run that was interrupted; return how many units were written anew."""
    with database.tenant(client) as conn:
        waiting = conn.execute(_WAITING, {"client": client}).all()
    written = 0
    for kind, ref in waiting:
        if kind == SESSION:
            with suppress(NotFound):
                written += index_session(database, client, ref)
        else:
            written += index_facts(database, client, ref) + index_items(database, client, ref)
            written += index_documents(database, client, ref) + index_messages(
                database, client, ref, again=True
            )
        with database.tenant(client) as conn:
            conn.execute(_DONE, {"client": client, "kind": kind, "ref": ref})
    return written
