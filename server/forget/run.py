"""Forgetting from the request to the last trace: look, count, and, once that is confirmed, remove.

What the database holds goes in one transaction: interrupted, nothing happened or all of it did. What follows it (the
index of sessions that stay, the queue) is marked or found again, so that a second run finishes it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from redis.exceptions import RedisError
from sqlalchemy import Connection, func, select, text

from projection.okf.generation import mark_all
from recall.again import index_noted
from schema import sessions
from schema.database import Database
from schema.errors import NotFound, Refused
from schema.scope import Scope
from schema.tables import metadata
from server.forget import selection
from server.forget.places import WHO
from server.forget.queue import Queue
from server.forget.remove import Counts, counted, remove
from server.forget.selection import Selection
from server.forget.words import Words

_SESSION = text("SELECT agent, agent_session FROM sessions WHERE client = :client AND session = :session")
_STAYS = text("""
    SELECT session::text FROM sessions
    WHERE client = :client AND session = ANY(:sessions) AND evidence_dropped_at IS NULL
""")
PASSES = 3  # while workers still bring in what was in the queue


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be forgotten: one of a text, or the id of one thing in ``table`` (``sessions``, ``projects`` ...)."""

    client: str
    words: Words | None = None
    table: str = ""
    key: UUID | None = None

    def select(self, connection: Connection) -> Selection:
        """Find it, with everything that goes with it."""
        if self.words is not None:
            found = selection.of_text(connection, self.client, self.words)
        elif self.table == "sessions" and self.key is not None:
            found = selection.of_session(connection, self.client, self.key)
        elif self.table == "projects" and self.key is not None:
            found = selection.of_project(connection, self.client, self.key)
        elif self.key is not None:
            found = selection.of_one(self.table, self.key)
        else:
            found = Selection()
        selection.close(connection, self.client, found)
        return found

    def events(self, connection: Connection) -> Callable[[Any], bool] | None:
        """Which events of the queue are meant; None where none can be."""
        if self.words is not None:
            return self.words.within
        if self.table == "projects" and self.key is not None:
            return partial(selection.event_of, selection.project_keys(connection, self.client, self.key))
        row = connection.execute(_SESSION, {"client": self.client, "session": self.key}).first()
        if self.table != "sessions" or row is None:
            return None
        meant = (row.agent, row.agent_session)
        return lambda event: isinstance(event, dict) and (event.get("agent"), event.get("session")) == meant


@dataclass(slots=True)
class Outcome:
    """``counts`` of what is there or went, ``queue`` events of the queue, ``who`` tokens and lines of the log that
    name it still, ``queue_reached`` whether the queue answered."""

    counts: Counts = field(default_factory=Counts)
    queue: int = 0
    who: int = 0
    queue_reached: bool = True

    def mark(self, request: Request) -> str:
        """What a confirmation repeats: it changes with the request and with the counts."""
        asked = [request.words.text if request.words else "", request.table, str(request.key)]
        told = json.dumps([asked, asdict(self.counts), self.queue], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:12]


def look(database: Database, request: Request, queue_url: str | None) -> Outcome:
    """Count what there is to forget, and change nothing."""
    outcome = Outcome()
    with database.everyone(request.client) as connection:
        outcome.counts = counted(connection, request.client, request.select(connection))
        outcome.who = _who(connection, request)
        wanted = request.events(connection)
    outcome.queue, outcome.queue_reached = _queue(request, queue_url, wanted, lambda _, found: len(found))
    return outcome


def forget(database: Database, request: Request, queue_url: str | None, now: datetime) -> Outcome:
    """Remove it and return what went. Raises DatabaseConflict where writers met: run it again."""
    outcome = Outcome()
    with database.everyone(request.client) as connection:
        wanted = request.events(connection)
    for _ in range(PASSES):
        taken, reached = _queue(
            request, queue_url, wanted, lambda queue, found: queue.forget(database, found, now)
        )
        outcome.queue, outcome.queue_reached = outcome.queue + taken, reached
        with database.everyone(request.client) as connection:
            found = request.select(connection)
            went = remove(connection, request.client, found, request.words, now)
            _distil_again(connection, request.client, found)
            if not went.nothing:
                mark_all(connection, request.client)  # a rendering may be kept, here or in another process
            outcome.who = _who(connection, request)
        _add(outcome.counts, went)
        if went.nothing and not taken:
            break
    index_noted(database, request.client)
    return outcome


def _distil_again(connection: Connection, client: str, found: Selection) -> None:
    """Let sessions that lost something be told anew from what is left of them."""
    if found.touched and (found.mirror or found.gone["session_summaries"]):
        stays = connection.scalars(_STAYS, {"client": client, "sessions": sorted(found.touched)}).all()
        for session in stays:
            with contextlib.suppress(Refused, NotFound):
                sessions.again(connection, Scope(client), session)


def _queue(
    request: Request,
    url: str | None,
    wanted: Callable[[Any], bool] | None,
    act: Callable[[Queue, list[str]], int],
) -> tuple[int, bool]:
    if wanted is None:
        return 0, True
    if url is None:
        return 0, False
    queue = Queue(url, request.client)
    try:
        return act(queue, queue.matching(wanted)), True
    except RedisError:
        return 0, False
    finally:
        queue.close()


def _who(connection: Connection, request: Request) -> int:
    """How many tokens and lines of the log name a user so: they stay, since they say who did what."""
    if request.words is None:
        return 0
    named = 0
    for name in WHO:
        table = metadata.tables[name]
        users = select(table.c.user_name, func.count()).group_by(table.c.user_name)
        rows = connection.execute(users.where(table.c.client == request.client)).all()
        named += sum(count for user, count in rows if request.words.within(user))
    return named


def _add(counts: Counts, more: Counts) -> None:
    for kept, new in ((counts.removed, more.removed), (counts.reworded, more.reworded)):
        for name, rows in new.items():
            kept[name] = kept.get(name, 0) + rows
    counts.events += more.events
