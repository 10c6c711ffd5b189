"""The live feed: what arrives reaches who may see it and asked for it, once; a closed visit ends it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from anyio import CapacityLimiter
from sqlalchemy import text

from schema.errors import DatabaseUnavailable
from server.errors import TooMany
from server.perform import Performer
from server.principal import Principal
from server.web.feed import Feed, Wanted
from server.web.look import OPERATIONS

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


def test_what_makes_no_row_holds_nothing_up(world):
    principal = Principal("team", "ada")
    performer = Performer(world.database, lambda: None)

    def told(since: str):
        return performer.perform(principal, OPERATIONS["viewer_tail"], {"since": since}, "web")

    begin = performer.perform(principal, OPERATIONS["viewer_tail"], {}, "web").end
    time = int(begin.split("-")[0])
    with world.database.tenant("team") as connection:
        connection.execute(
            text("""
                INSERT INTO ledger (client, entry, disposition, kind, mirror)
                SELECT 'team', (:time + n)::text || '-0', 'stored', 'symbols', gen_random_uuid()
                FROM generate_series(1, 1500) AS n
            """),
            {"time": time},
        )
        connection.execute(
            text("""
                INSERT INTO ledger (client, entry, disposition, kind, mirror)
                SELECT 'team', (:time + 1500)::text || '-1', 'stored', kind, mirror
                FROM ledger WHERE client = 'team' AND kind = 'prompt' AND disposition = 'stored' LIMIT 1
            """),
            {"time": time},
        )
    first = told(begin)
    assert [row.entry for row in first.arrived if row.entry != begin] == [f"{time + 1500}-1"]
    assert first.end == f"{time + 1500}-1"
    with world.database.tenant("team") as connection:
        connection.execute(
            text("DELETE FROM ledger WHERE client = 'team' AND entry > :entry AND kind <> 'symbols'"),
            {"entry": begin},
        )
    assert told(begin).end == f"{time + 1500}-0"
    with world.database.tenant("team") as connection:
        connection.execute(text("DELETE FROM ledger WHERE client = 'team' AND entry > :e"), {"e": begin})


def test_a_feed_outlives_a_database_that_is_away_for_a_moment(world):
    answers = iter([DatabaseUnavailable(why="it restarts"), True, True, False])
    strips = iter([TooMany(seconds=1), "drawn"])

    def told(given):
        answer = next(given)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def run() -> list[str]:
        feed = Feed(Performer(world.database, lambda: None), CapacityLimiter(4))
        watching = feed.watch(Principal("team", "ada"), Wanted(), lambda: told(answers), lambda: told(strips))
        return [event async for event in watching]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("server.web.feed.RECHECK", 0.0)
        events = asyncio.run(run())
    assert events == ["retry: 1500\n\n", "event: strip\ndata: drawn\n\n"]


def test_a_database_that_is_away_is_told_before_the_feed_begins(world, ada, monkeypatch):
    def away(*_given: object) -> None:
        raise DatabaseUnavailable(why="it restarts")

    monkeypatch.setattr("server.web.visits.door.Door.who", away)
    assert ada.client.get("/now/feed").status_code == 503


def test_the_feed_of_who_is_not_signed_in_is_refused(world):
    assert world.stranger().client.get("/now/feed").status_code == 401


def test_what_came_in_between_and_is_too_much_is_said(world, monkeypatch):
    monkeypatch.setattr("server.web.feed.KEPT", 2)
    teller = world.teller("team")
    teller.prompt("live-5", "known to the page")
    teller.settle()
    with world.database.tenant("team") as connection:
        end = connection.scalar(text("SELECT max(entry) FROM ledger"))
    for number in range(6):
        teller.prompt("live-5", f"in between, number {number}")
    teller.settle()

    async def run() -> list[str]:
        feed = Feed(Performer(world.database, lambda: None), CapacityLimiter(4))
        events = feed.watch(Principal("team", "ada"), Wanted(), lambda: True, lambda: "strip", end)
        try:
            return await asyncio.wait_for(rows_until(events, bool), PATIENCE)
        finally:
            await events.aclose()

    rows = asyncio.run(run())
    assert "number 5" in "".join(rows)
    assert 'href="/sessions"' in rows[-1]
    assert "More has happened" in rows[-1]
