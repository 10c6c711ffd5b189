"""Make what a session came to findable; running it twice changes nothing."""

from __future__ import annotations

from sqlalchemy import Connection, text

from workers.runtime import Runtime

_DISTILLED = "SELECT distilled_at FROM sessions WHERE client = :client AND session = :session"
_UNINDEXED = text("""
    SELECT project::text FROM messages WHERE client = :client AND indexed_at IS NULL
    UNION SELECT project::text FROM messages WHERE client = :client AND told_at IS NULL
""")
_INDEXED = "UPDATE sessions SET indexed_at = :at WHERE client = :client AND session = :session"


def session(runtime: Runtime, client: str, identifier: str) -> None:
    """Index the units of one session and of its project's facts; vectors where an embedder is set."""
    from recall.run import index_session

    with runtime.database.tenant(client) as connection:
        values = {"client": client, "session": identifier}
        distilled_at = connection.scalar(text(_DISTILLED), values)
    index_session(runtime.database, client, identifier, runtime.embedder)
    with runtime.database.tenant(client) as connection:
        connection.execute(text(_INDEXED), values | {"at": distilled_at})


def facts(runtime: Runtime, client: str, project: str) -> None:
    """Index a project's facts as they are believed now; vectors where an embedder is set."""
    from recall import vectors
    from recall.run import index_facts

    index_facts(runtime.database, client, project)
    if runtime.embedder is not None:
        vectors.embed(runtime.database, client, runtime.embedder)


def messages(runtime: Runtime, client: str, project: str) -> None:
    """Index a project's messages and notes that are not yet; vectors where an embedder is set."""
    from recall import vectors
    from recall.messages import index_messages

    if index_messages(runtime.database, client, project) and runtime.embedder is not None:
        vectors.embed(runtime.database, client, runtime.embedder)


def unindexed(connection: Connection, client: str) -> list[str]:
    """Projects with messages that recall does not know of yet, or that nobody has distilled."""
    return list(connection.scalars(_UNINDEXED, {"client": client}))


def fold(runtime: Runtime, client: str) -> None:
    """Fold what many small batches left scattered, and give vectors to what was saved without one."""
    from recall import vectors
    from recall.run import sweep

    sweep(runtime.database, client)
    if runtime.embedder is not None:
        vectors.embed(runtime.database, client, runtime.embedder)
