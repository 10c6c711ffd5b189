"""Carry out what was deleted six seconds ago and not taken back, whether or not its page is still open."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

from anyio import CapacityLimiter, to_thread

from schema import held
from schema.errors import LimbeckError
from server.errors import Missing, ServerError, Unavailable
from server.perform import Performer
from server.principal import Principal
from server.tokens import store as tokens
from server.web.look import OPERATIONS, VIA

DELETE = "deleteMemoryById"
AGAIN = timedelta(seconds=5)
log = logging.getLogger("limbeck.web")


class Deletions:
    """One watch over all clients' deletions: asleep until the next is due."""

    def __init__(self, performer: Performer, threads: CapacityLimiter) -> None:
        """Nothing runs until ``run``."""
        self._performer, self._threads = performer, threads
        self._due: dict[str, datetime] = {}
        self._changed = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def held(self, client: str, due: datetime) -> None:
        """Say that ``client`` has a deletion due then. Called from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._note, client, due)

    def _note(self, client: str, due: datetime) -> None:
        self._due[client] = min(due, self._due.get(client, due))
        self._changed.set()

    async def run(self) -> None:
        """Carry out what is due, for ever; at first what was left when the server last ended."""
        self._loop = asyncio.get_running_loop()
        await self._leftovers()
        while True:
            now = self._performer.clock()
            for client in [client for client, due in self._due.items() if due <= now]:
                del self._due[client]
                await self._clear(client)
            left = min(self._due.values(), default=None)
            self._changed.clear()
            wait = None if left is None else max(0.02, (left - self._performer.clock()).total_seconds())
            try:
                await asyncio.wait_for(self._changed.wait(), wait)
            except TimeoutError:
                continue

    async def _leftovers(self) -> None:
        try:
            clients = await to_thread.run_sync(self._performer.database.clients, limiter=self._threads)
        except LimbeckError as error:
            log.warning("deletions of before could not be looked up: %s", error)
            return
        for client in clients:
            await self._clear(client)

    async def _clear(self, client: str) -> None:
        try:
            next_due = await to_thread.run_sync(self.carry_out, client, limiter=self._threads)
        except LimbeckError as error:
            log.warning("a deletion waits: %s", error)
            next_due = self._performer.clock() + AGAIN
        if next_due is not None:
            self._note(client, next_due)

    def carry_out(self, client: str) -> datetime | None:
        """Delete what is due; return when the next is, None where nothing waits."""
        now, database = self._performer.clock(), self._performer.database
        with database.everyone(client) as connection:
            due = held.due(connection, client, now)
        for one in due:
            with database.tenant(client) as connection:
                kept = tokens.find(connection, client, one["token"])
            if kept is not None and kept.holds(now):
                self._delete(kept.principal, one["memory"])
            with database.everyone(client) as connection:
                held.done(connection, client, one["memory"])
        with database.everyone(client) as connection:
            return held.next_due(connection, client)

    def _delete(self, principal: Principal, memory: str) -> None:
        try:
            self._performer.perform(principal, OPERATIONS[DELETE], {"id": memory}, VIA)
        except Missing:
            return
        except Unavailable:
            raise
        except ServerError as error:
            log.warning("a deletion was refused: %s", error)
