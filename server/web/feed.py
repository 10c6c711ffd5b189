"""The live feed: one look a moment at the end of a client's stream, shared by everybody who watches it.

Nobody gets a row that their principal may not see; who watches too slowly loses rows, never memory of ours.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import cast

from anyio import CapacityLimiter, to_thread

from schema.errors import LimbeckError
from schema.failures import places
from server.operations.views import Arrived, Tail
from server.perform import Performer
from server.principal import Principal
from server.web.drawing import drawn
from server.web.look import OPERATIONS, VIA

EVERY = 0.25
RECHECK = 10.0
KEPT = 400
log = logging.getLogger("limbeck.web")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a watcher asked for; None and "" let everything through."""

    project: str | None = None
    agent: str = ""
    tool: str = ""
    outcome: str = ""
    session: str = ""

    def takes(self, row: Arrived) -> bool:
        """Whether ``row`` is wanted."""
        return (
            (self.project is None or self.project in (row.project, row.project_id))
            and (not self.agent or self.agent == row.agent)
            and (not self.tool or (row.kind == "call" and self.tool == row.who))
            and (not self.outcome or self.outcome == row.outcome)
            and (not self.session or self.session == row.session)
        )


@dataclass
class Watcher:
    """Somebody who watches: what they may see and want, and what waits for them."""

    principal: Principal
    wanted: Wanted
    last: str = ""
    rows: deque[dict[str, str]] = field(default_factory=lambda: deque(maxlen=KEPT))
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def offer(self, row: Arrived, drawing: Callable[[], dict[str, str]]) -> None:
        """Take a row that may be seen and is wanted."""
        if self.principal.sees(row.project_id) and self.wanted.takes(row):
            self.rows.append(drawing())
            self.last = row.entry
            self.news.set()


class Feed:
    """Who watches which client. Lives in one event loop; the looks happen in threads."""

    def __init__(self, performer: Performer, threads: CapacityLimiter) -> None:
        """Nothing is looked at until somebody watches."""
        self._performer, self._threads = performer, threads
        self._watchers: dict[str, list[Watcher]] = {}
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._known: dict[str, asyncio.Event] = {}

    async def watch(
        self,
        principal: Principal,
        wanted: Wanted,
        still: Callable[[], bool],
        strip: Callable[[], str],
        since: str = "",
    ) -> AsyncIterator[str]:
        """Yield server-sent events until the watcher goes, or ``still`` says that their visit has ended.

        ``strip`` draws the health strip; both are called in a thread. ``since`` is the last entry that the watcher
        knows: what came between it and now is told first.
        """
        watcher, client = Watcher(principal, wanted), principal.client
        self._watchers.setdefault(client, []).append(watcher)
        if client not in self._looking:
            self._known[client] = asyncio.Event()
            self._looking[client] = asyncio.create_task(self._look(client))
        try:
            yield "retry: 1500\n\n"
            await self.ready(client)
            while await self._stays(still):
                if since and await self._missed(watcher, since):
                    since = ""
                if (drawing := await self._drawn(strip)) is not None:
                    yield _event("strip", drawing)
                end = asyncio.get_running_loop().time() + RECHECK
                while (left := end - asyncio.get_running_loop().time()) > 0:
                    try:
                        await asyncio.wait_for(watcher.news.wait(), left)
                    except TimeoutError:
                        break
                    watcher.news.clear()
                    rows = list(watcher.rows)
                    watcher.rows.clear()
                    yield f"id: {watcher.last}\n{_event('rows', json.dumps(rows))}"
        finally:
            self._leave(client, watcher)

    async def ready(self, client: str) -> None:
        """Wait until the end of a watched client's stream is known: what arrives from then on is told."""
        await self._known[client].wait()

    async def _stays(self, still: Callable[[], bool]) -> bool:
        """Whether the visit goes on; where that cannot be known at the moment, it is waited for and nothing is told."""
        while True:
            try:
                return await to_thread.run_sync(still, limiter=self._threads)
            except LimbeckError as error:
                log.warning("a visit could not be looked up: %s", error)
                await asyncio.sleep(4 * EVERY)

    async def _drawn(self, strip: Callable[[], str]) -> str | None:
        """The strip; None where it cannot be drawn now, and then the old one stands until the next look."""
        try:
            return await to_thread.run_sync(strip, limiter=self._threads)
        except LimbeckError as error:
            log.warning("the strip could not be drawn: %s", error)
            return None

    async def _missed(self, watcher: Watcher, since: str) -> bool:
        """Offer the newest of what came after ``since``, and say where there was more; False where none can be read."""
        given: dict[str, object] = {"looked": 2 * KEPT}
        try:
            found = await to_thread.run_sync(self._tail, watcher.principal, given, limiter=self._threads)
        except LimbeckError as error:
            log.warning("what a watcher missed could not be read: %s", error)
            return False
        missed = [row for row in found.arrived if _place(row.entry) > _place(since)]
        for row in missed:
            watcher.offer(row, _once(row))
        if len(missed) >= 2 * KEPT:  # nothing that was read is known to the page: there may be more before it
            watcher.rows.append({"id": "r-more", "html": drawn("more.html")})
            watcher.news.set()
        return True

    def _leave(self, client: str, watcher: Watcher) -> None:
        watching = self._watchers.get(client, [])
        watching.remove(watcher)
        if not watching:
            self._watchers.pop(client, None)
            self._known.pop(client, None)
            if task := self._looking.pop(client, None):
                task.cancel()

    async def _look(self, client: str) -> None:
        """Look at the end of ``client``'s stream again and again; a database that is down is waited for."""
        viewer = Principal(client, "viewer")
        end = ""
        while True:
            try:
                end = await self._news(viewer, end)
                self._known[client].set()
            except LimbeckError as error:
                log.warning("the stream's end could not be read: %s", error)
                await asyncio.sleep(4 * EVERY)
            except Exception as error:
                log.error("the stream's end could not be read: %s", places(error))
                await asyncio.sleep(4 * EVERY)
            await asyncio.sleep(EVERY)

    async def _news(self, viewer: Principal, end: str) -> str:
        """Tell what came after ``end``; return the new one. Entries are committed in the stream's order."""
        given: dict[str, object] = {"since": end} if end else {"looked": 1}
        found = await to_thread.run_sync(self._tail, viewer, given, limiter=self._threads)
        if not end:
            return found.end
        for row in found.arrived:
            if _place(row.entry) > _place(end):
                drawing = _once(row)
                for watcher in self._watchers.get(viewer.client, []):
                    watcher.offer(row, drawing)
        return max((found.end, *(row.entry for row in found.arrived)), key=_place)

    def _tail(self, viewer: Principal, given: dict[str, object]) -> Tail:
        found = self._performer.perform(viewer, OPERATIONS["viewer_tail"], given, VIA)
        return cast("Tail", found)


def _once(row: Arrived) -> Callable[[], dict[str, str]]:
    """Draw a row when the first watcher takes it, and give every other the same."""
    made: list[dict[str, str]] = []

    def drawing() -> dict[str, str]:
        if not made:
            made.append({"id": f"r-{row.id}", "html": drawn("row.html", row=row)})
        return made[0]

    return drawing


def _place(entry: str) -> tuple[int, int]:
    """An entry's place in the stream; (0, 0) for what is none."""
    time, _, number = entry.partition("-")
    return (int(time), int(number or 0)) if time.isdigit() and (number or "0").isdigit() else (0, 0)


def _event(name: str, data: str) -> str:
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"event: {name}\n{lines}\n"
