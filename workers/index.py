"""Make what a session came to findable; running it twice changes nothing."""

from __future__ import annotations

from workers.runtime import Runtime


def session(runtime: Runtime, client: str, identifier: str) -> None:
    """Index the units of one session and of the facts it changed."""
    from recall.run import index_session

    index_session(runtime.database, client, identifier)
