"""The live feed: what arrives reaches who may see it and asked for it, once; a closed visit ends it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from anyio import CapacityLimiter
from sqlalchemy import text

from server.perform import Performer
from server.principal import Principal
from server.web.feed import Feed, Wanted

from .conftest import NEIGHBOUR

PATIENCE = 20


async def rows_until(events, enough: Callable[[list[str]], bool]) -> list[str]:
    """The rows' HTML, read until there are enough of them."""
    found: list[str] = []
    async for event in events:
        if "event: rows" in event:
            found += [row["html"] for row in json.loads(event.split("data: ", 1)[1])]
        if enough(found):
            break
    return found


def watching(world, watchers, act, enough) -> list[list[str]]:
    """What each watcher got of what ``act`` told, until each had ``enough``."""

    async def run() -> list[list[str]]:
        feed = Feed(Performer(world.database, lambda: None), CapacityLimiter(8))
        started = [asyncio.Event() for _ in watchers]

        async def one(number: int) -> list[str]:
            principal, wanted = watchers[number]

            def strip() -> str:
                loop.call_soon_threadsafe(started[number].set)
                return "strip"

            events = feed.watch(principal, wanted, lambda: True, strip)
            try:
                return await asyncio.wait_for(rows_until(events, enough), PATIENCE)
            finally:
                await events.aclose()

        loop = asyncio.get_running_loop()
        tasks = [asyncio.create_task(one(number)) for number in range(len(watchers))]
        for event in started:
            await asyncio.wait_for(event.wait(), PATIENCE)
        await feed.ready(watchers[0][0].client)
        await asyncio.to_thread(act)
        return await asyncio.gather(*tasks)

    return asyncio.run(run())


def test_what_arrives_is_shown_once_and_merged_ones_as_a_count(world):
    def act() -> None:
        teller = world.teller("team")
        for _ in range(3):
            teller.call("live-1", "Bash", shape="make live")
        teller.prompt("live-1", "last of it")
        teller.settle()

    (rows,) = watching(
        world,
        [(Principal("team", "ada"), Wanted())],
        act,
        lambda found: any("last of it" in one for one in found),
    )
    calls = [row for row in rows if "make live" in row]
    assert "×3" in calls[-1]
    assert len({row.split('id="')[1].split('"')[0] for row in calls}) == 1
    assert len([row for row in rows if "last of it" in row]) == 1


def test_each_gets_what_they_may_see_and_asked_for(world):
    with world.database.tenant("team") as connection:
        books = connection.scalar(text("SELECT project::text FROM projects WHERE name = 'books'"))

    def act() -> None:
        shop, next_door = world.teller("team"), world.teller("neighbour")
        next_door.prompt("live-2", f"{NEIGHBOUR} live")
        next_door.settle()
        shop.call("live-2", "Bash", "failed", shape="make wall")
        shop.prompt("live-2", "shop only")
        shop.prompt(
            "live-3",
            "the end, for all",
            project={"common": "/b", "root": "/b", "remote": "git.example/team/books"},
        )
        shop.call(
            "live-3",
            "Bash",
            "failed",
            shape="the end, for all",
            project={"common": "/b", "root": "/b", "remote": "git.example/team/books"},
        )
        shop.settle()

    everyone, booker, failures = watching(
        world,
        [
            (Principal("team", "ada"), Wanted()),
            (Principal("team", "bo", projects=(books,)), Wanted()),
            (Principal("team", "cy"), Wanted(outcome="failed")),
        ],
        act,
        lambda found: any("the end, for all" in one for one in found),
    )
    assert any("shop only" in row for row in everyone)
    assert not any("shop only" in row or "make wall" in row for row in booker)
    assert all("failed" in row for row in failures)
    assert not any(NEIGHBOUR in row for row in everyone + booker + failures)


def test_the_feed_ends_with_the_visit(world):
    async def run() -> list[str]:
        feed = Feed(Performer(world.database, lambda: None), CapacityLimiter(2))
        return [event async for event in feed.watch(Principal("team", "ada"), Wanted(), lambda: False, str)]

    assert asyncio.run(run()) == ["retry: 1500\n\n"]


def test_what_came_between_a_page_and_its_feed_is_told_first(world):
    teller = world.teller("team")
    teller.prompt("live-4", "known to the page")
    teller.settle()
    with world.database.tenant("team") as connection:
        end = connection.scalar(text("SELECT max(entry) FROM ledger"))
    teller.prompt("live-4", "came in between")
    teller.settle()

    async def run() -> list[str]:
        feed = Feed(Performer(world.database, lambda: None), CapacityLimiter(4))
        events = feed.watch(Principal("team", "ada"), Wanted(), lambda: True, lambda: "strip", end)
        try:
            return await asyncio.wait_for(rows_until(events, bool), PATIENCE)
        finally:
            await events.aclose()

    rows = asyncio.run(run())
    assert len(rows) == 1
    assert "came in between" in rows[0]


def test_the_feed_of_who_is_not_signed_in_is_refused(world):
    assert world.stranger().client.get("/now/feed").status_code == 401
