"""Carry out what was deleted six seconds ago and not taken back, whether or not its page is still open."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import replace
from datetime import datetime, timedelta

from anyio import CapacityLimiter, to_thread

from schema import held
from schema.errors import LimbeckError
from server.errors import Broken, Missing, ServerError, Stale, Unavailable
from server.limit import RateLimit
from server.memory import kept
from server.operations.views import Held
from server.perform import Performer
from server.principal import Principal
from server.tokens import store as tokens
from server.web.look import OPERATIONS, VIA

HOLD, DELETE, FORGET = "hold_deletion", "deleteMemoryById", "forget"
AGAIN = timedelta(seconds=5)
LOOK_S = 60.0  # between looks at what was not said here
LATER = timedelta(minutes=10)  # for what a person has to put right
log = logging.getLogger("limbeck.web")


class Deletions:
    """One watch over all clients' deletions: asleep until the next is due."""

    def __init__(self, performer: Performer, threads: CapacityLimiter) -> None:
        """Nothing runs until ``run``. What was confirmed is not counted against a token's rate once more."""
        self._performer, self._threads = replace(performer, limit=RateLimit(0)), threads
        self._due: dict[str, datetime] = {}
        self._changed = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def held(self, principal: Principal, held: Held) -> None:
        """Say that somebody has a deletion due. Called from any thread; what it does not reach is found by a look."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the server is ending
                self._loop.call_soon_threadsafe(self._note, principal.client, held.due_at)

    def _note(self, client: str, due: datetime) -> None:
        self._due[client] = min(due, self._due.get(client, due))
        self._changed.set()

    async def run(self) -> None:
        """Carry out what is due, for ever; also what was left when the server last ended, or another process held."""
        self._loop = asyncio.get_running_loop()
        looked = None
        while True:
            if looked is None or self._loop.time() - looked >= LOOK_S:
                await self._look()
                looked = self._loop.time()
            now = self._performer.clock()
            for client in [client for client, due in self._due.items() if due <= now]:
                del self._due[client]
                await self._clear(client)
            left = min(self._due.values(), default=None)
            self._changed.clear()
            wait = LOOK_S if left is None else (left - self._performer.clock()).total_seconds()
            try:
                await asyncio.wait_for(self._changed.wait(), max(0.02, min(wait, LOOK_S)))
            except TimeoutError:
                continue

    async def _look(self) -> None:
        while True:
            try:
                clients = await to_thread.run_sync(self._performer.database.clients, limiter=self._threads)
                break
            except LimbeckError as error:
                log.warning("what has to be deleted could not be looked up: %s", error)
                await asyncio.sleep(AGAIN.total_seconds())
        for client in clients:
            await self._clear(client)

    async def _clear(self, client: str) -> None:
        try:
            next_due = await to_thread.run_sync(self.carry_out, client, limiter=self._threads)
        except Exception as error:  # the watch outlives whatever one client's deletions meet
            log.warning(
                "deletions wait: %s", error if isinstance(error, LimbeckError) else type(error).__name__
            )
            next_due = self._performer.clock() + AGAIN
        if next_due is not None:
            self._note(client, next_due)

    def carry_out(self, client: str) -> datetime | None:
        """Delete what is due; return when the next is, None where nothing waits.

        Done is what was deleted, or is there no more; everything else is tried again, soon where it may pass by itself.
        """
        now, database = self._performer.clock(), self._performer.database
        with database.everyone(client) as connection:
            due = held.due(connection, client, now)
        for one in due:
            wait = self._tried(client, one["token"], one["memory"])
            with database.everyone(client) as connection:
                if wait is None:
                    held.done(connection, client, one["memory"], one["owner"])
                else:
                    held.put_off(connection, client, one["memory"], one["owner"], now + wait)
        with database.everyone(client) as connection:
            return held.next_due(connection, client)

    def _perform(self, who: Principal, memory: str) -> None:
        if memory.startswith("mem_"):
            self._performer.perform(who, OPERATIONS[DELETE], {"id": memory}, VIA)
            return
        with self._performer.database.tenant(who.client, who.user) as connection:
            rows = kept.listed(connection, kept.Reach(who, who.projects), only=memory, limit=1)
        for row in rows:
            self._performer.perform(who, OPERATIONS[FORGET], {"scope": row["scope"], "key": row["key"]}, VIA)

    def _tried(self, client: str, token: str, memory: str) -> timedelta | None:
        """Delete one memory; None where that is done with, else how long to wait before the next try.

        It was confirmed while its token was valid: a token that was revoked since takes nothing back.
        """
        with self._performer.database.tenant(client) as connection:
            found = tokens.find(connection, client, token)
        if found is None:
            return None  # what its token confirmed went with it
        try:
            self._perform(found.principal, memory)
        except Missing:
            return None
        except Unavailable:
            raise
        except ServerError as error:
            log.warning("a deletion waits: %s", error)
            return LATER if error.permanent and not isinstance(error, Stale | Broken) else AGAIN
        return None
