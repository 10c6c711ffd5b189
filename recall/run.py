"""What the workers call: index one session, embed what lacks a vector, fold. Each may run twice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, text

from recall import index, outdated, postings, vectors
from recall.embedding.embedder import Embedder
from recall.errors import EmbeddingUnavailable
from recall.sources import event_units, fact_units, session_units
from schema.database import Database
from schema.records import Unit

_PROJECT = text("SELECT project::text FROM sessions WHERE client = :client AND session = :session")
_LEFT = text("""
    SELECT kind, array_agg(ref) AS refs FROM search_units
    WHERE client = :client AND session = :session AND kind = ANY(:kinds) AND ref <> ALL(:refs)
    GROUP BY kind
""")
_REWRITTEN = text("""
    SELECT u.kind, array_agg(u.ref) AS refs FROM search_units u
    JOIN commits c ON c.client = u.client AND c.id::text = u.ref
    WHERE u.client = :client AND u.project = :project AND u.kind = 'commit' AND c.rewritten_to IS NOT NULL
    GROUP BY u.kind
""")
_NEVER_HELD = text("""
    SELECT u.kind, array_agg(u.ref) AS refs FROM search_units u
    WHERE u.client = :client AND u.project = :project AND u.kind = 'fact' AND u.ref <> ALL(:refs)
      AND (cast(:since AS timestamptz) IS NULL OR u.ref IN (
           SELECT f.fact::text FROM fact_versions f
           WHERE f.client = :client AND f.project = :project AND f.retired_at IS NULL AND f.recorded_at >= :since))
    GROUP BY u.kind
""")
AT_ONCE = 8  # units that a request may wait for
OF_SESSION = ["event", "summary", "commit", "turn", "session"]


def index_session(
    database: Database,
    client: str,
    session: str,
    embedder: Embedder | None = None,
    *,
    facts: bool = True,
) -> int:
    """Make what a session came to, and its project's facts, findable; return how many units were written anew.

    What the session no longer has is taken out. With ``embedder``, vectors follow after the commit. Without ``facts``
    the project's are left to somebody else.
    Raises NotFound, DatabaseConflict, DatabaseUnavailable, EmbeddingUnavailable.
    """
    with database.tenant(client) as conn:
        units = session_units(conn, client, session)
        project = conn.scalar(_PROJECT, {"client": client, "session": session})
        if facts:
            units.extend(_facts(conn, client, str(project)))
        gone = conn.execute(
            _LEFT,
            {"client": client, "session": session, "kinds": OF_SESSION, "refs": [unit.ref for unit in units]},
        ).all()
        for row in gone:
            index.remove(conn, client, row.kind, row.refs)
        written = index.put(conn, client, units)
        if facts:
            outdated.mark(conn, client, str(project))
    if embedder is not None:
        vectors.embed(database, client, embedder)
    return written


def index_event(conn: Connection, client: str, event: str) -> int:
    """Make one event findable in the transaction that records it; return how many units were written anew."""
    return index.put(conn, client, event_units(conn, client, event))


def remove_events(conn: Connection, client: str, events: Sequence[str]) -> int:
    """Take events that are gone out of the index; return how many were in it."""
    return index.remove(conn, client, "event", events) if events else 0


def embed_some(database: Database, client: str, embedder: Embedder | None) -> None:
    """Give vectors to the few units that a request left without one; where the provider is away the workers follow."""
    if embedder is None:
        return
    try:
        vectors.embed(database, client, embedder, most=AT_ONCE)
    except EmbeddingUnavailable:
        return


def index_facts(database: Database, client: str, project: str, since: datetime | None = None) -> int:
    """Make a project's facts findable as they are believed now; return how many units were written anew.

    With ``since`` only those that changed at that time or after it.
    """
    with database.tenant(client) as conn:
        written = index.put(conn, client, _facts(conn, client, project, since))
        outdated.mark(conn, client, project)
        return written


def _facts(conn: Connection, client: str, project: str, since: datetime | None = None) -> list[Unit]:
    """A project's facts as units; those that never held, and commits that were rewritten, are taken out."""
    units = fact_units(conn, client, project, since)
    where = {"client": client, "project": project, "since": since}
    gone = [
        *conn.execute(_REWRITTEN, where).all(),
        *conn.execute(_NEVER_HELD, where | {"refs": [unit.ref for unit in units]}).all(),
    ]
    for row in gone:
        index.remove(conn, client, row.kind, row.refs)
    return units


def sweep(database: Database, client: str) -> int:
    """Fold scattered posting blocks; return how many lexemes were folded. For a schedule of hours."""
    with database.everyone(client) as conn:
        return postings.fold(conn, client)
