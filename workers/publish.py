"""A new generation of a project's bundle, once for whatever changed since the last; who keeps files hears of it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from capture.queue import bundles_key
from schema.errors import NotFound
from workers.runtime import Runtime


def marked(connection: Connection, client: str) -> list[str]:
    """The projects whose bundle may be another than the one that was made last."""
    from projection.okf.generation import marked as found

    return found(connection, client)


def bundle(runtime: Runtime, client: str, project: str, now: datetime) -> bool:
    """Count a new generation where the content is another; True where it was. Running twice is harmless."""
    from projection.okf.generation import generate

    with runtime.database.alone(client, f"bundle {project}") as taken:
        if not taken:
            return False
        try:
            made = generate(runtime.database, client, project, now)
        except NotFound:  # forgotten meanwhile
            return False
    if made.is_new:
        runtime.redis.incr(bundles_key(client))
    return made.is_new
