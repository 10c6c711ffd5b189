"""Make what a session came to findable; running it twice changes nothing."""

from __future__ import annotations

from sqlalchemy import Connection, text

from workers.runtime import Runtime

_DISTILLED = "SELECT distilled_at FROM sessions WHERE client = :client AND session = :session"
EMBEDDED = 512

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
    from recall.run import index_facts

    index_facts(runtime.database, client, project)
    embed(runtime, client)


def messages(runtime: Runtime, client: str, project: str) -> None:
    """Index a project's messages and notes that are not yet; vectors where an embedder is set."""
    from recall.messages import index_messages

    if index_messages(runtime.database, client, project):
        embed(runtime, client)


def unindexed(connection: Connection, client: str) -> list[str]:
    """Projects with messages that recall does not know of yet, or that nobody has distilled."""
    return list(connection.scalars(_UNINDEXED, {"client": client}))


def fold(runtime: Runtime, client: str) -> None:
    """Fold what many small batches left scattered, and give vectors of the model of today to what has another's."""
    from recall import vectors
    from recall.run import sweep

    sweep(runtime.database, client)
    if runtime.embedder is not None:
        vectors.embed(runtime.database, client, runtime.embedder)


def embed(runtime: Runtime, client: str) -> bool:
    """Give vectors to the next units without one, whoever wrote them; True where more may be waiting.

    Few at a time, so that other tasks come between. Raises EmbeddingUnavailable.
    """
    from recall import vectors

    if runtime.embedder is None:
        return False
    with runtime.database.alone(client, "embed") as taken:
        return taken and vectors.embed(runtime.database, client, runtime.embedder, most=EMBEDDED) == EMBEDDED


def unembedded(runtime: Runtime, client: str) -> bool:
    """Whether a unit waits for its first vector."""
    from recall import vectors

    if runtime.settings.embeddings.provider == "off":
        return False
    with runtime.database.everyone(client) as connection:
        return vectors.waiting(connection, client)
