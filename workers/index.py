"""Make what a session came to findable; running it twice changes nothing."""

from __future__ import annotations

from sqlalchemy import text

from workers.runtime import Runtime

_DISTILLED = "SELECT distilled_at FROM sessions WHERE client = :client AND session = :session"
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


def fold(runtime: Runtime, client: str) -> None:
    """Fold what many small batches left scattered, and give vectors to what was saved without one."""
    from recall import vectors
    from recall.run import sweep

    sweep(runtime.database, client)
    if runtime.embedder is not None:
        vectors.embed(runtime.database, client, runtime.embedder)
