"""A drain takes over what the dead left, and keeps poison out of the way."""

from __future__ import annotations

import os

import pytest

import workers.drain as draining
import workers.stream as streaming
from schema.errors import DatabaseUnavailable, NotFound, Refused
from workers.lease import Lease, LeaseLost, held, keys
from workers.quarantine import drop
from workers.retry import retry
from workers.stream import GROUP

from .build import prompt, tool


@pytest.fixture
def at_once(monkeypatch):
    """Take over without the fifteen seconds of silence."""
    monkeypatch.setattr(streaming, "TAKEN_OVER_AFTER_MS", 0)


def test_entries_of_a_dead_consumer_are_taken_over(bench, at_once):
    bench.push(*(tool(second, shape=f"make t{second}") for second in range(5)))
    bench.stream.redis.xreadgroup(GROUP, "dead", {bench.stream.key: ">"}, count=3)
    assert bench.drain() == 5
    assert bench.sums() == {"stored": 5}


def test_a_drain_leaves_alone_what_a_living_consumer_holds(bench):
    bench.push(tool(0), tool(1, shape="make"))
    bench.stream.redis.xreadgroup(GROUP, "alive", {bench.stream.key: ">"}, count=1)
    assert bench.drain() == 1
    assert bench.stream.waiting() == 1


def test_two_drains_at_a_time_and_no_third(bench):
    bench.push(tool(0))
    others = [Lease(bench.stream, name) for name in ("one", "two")]
    assert [lease.take() for lease in others] == [True, True]
    assert bench.drain() == 0
    others[0].release()
    assert bench.drain() == 1


def test_a_batch_waits_for_the_one_that_was_read_before_it(bench):
    first, second = Lease(bench.stream, "first"), Lease(bench.stream, "second")
    bench.push(tool(0), tool(1))
    assert first.take()
    assert second.take()
    (earlier,), (later,) = first.read(1), second.read(1)
    waits = []

    def pause(_seconds):
        waits.append(len(waits))
        if len(waits) == 3:
            first.done()

    first.wait_for_turn(earlier.id, pause=pause)
    assert waits == []
    signs = []
    second.wait_for_turn(later.id, lambda: signs.append(1), pause)
    assert len(waits) == len(signs) == 3


def test_nobody_waits_for_a_dead_drain(bench):
    dead, alive = Lease(bench.stream, "dead"), Lease(bench.stream, "alive")
    bench.push(tool(0), tool(1))
    assert dead.take()
    assert alive.take()
    dead.read(1)
    (later,) = alive.read(1)
    waits = []

    def pause(_seconds):
        waits.append(1)
        bench.stream.redis.delete(keys(bench.stream.client)[0])  # as its fifteen seconds would

    alive.wait_for_turn(later.id, pause=pause)
    assert len(waits) == 1


def test_a_slow_batch_is_not_taken_over_while_it_gives_signs_of_life(bench):
    bench.push(tool(0), tool(1))
    slow, stream = Lease(bench.stream, "slow"), bench.stream
    assert slow.take()
    ids = [entry.id for entry in slow.read(2)]
    stream.redis.xclaim(stream.key, GROUP, stream.consumer, 0, ids, idle=20_000, justid=True)
    assert stream.abandoned(10) == [(identifier, 1) for identifier in ids]
    stream.hold(ids)
    assert stream.abandoned(10) == []
    left = stream.redis.xpending_range(stream.key, GROUP, min="-", max="+", count=10)
    assert [row["times_delivered"] for row in left] == [1, 1]


def test_who_lost_its_lease_reads_nothing(bench):
    lost = Lease(bench.stream, "lost")
    bench.push(tool(0))
    assert lost.take()
    bench.stream.redis.set(keys(bench.stream.client)[0], "another")
    for act in (lambda: lost.read(1), lost.extend, lost.done):
        with pytest.raises(LeaseLost):
            act()
    lost.release()
    assert held(bench.stream) == 1


def test_an_event_that_always_kills_its_worker_is_set_aside_and_alone(bench, at_once, monkeypatch):
    bench.push(prompt("fine", 0), prompt("poison", 1), prompt("fine too", 2))

    class Died(BaseException):
        """Stands for kill -9: nothing runs after it."""

    clean = draining.net.clean

    def poisoned(events, between):
        if any(event.body.get("text") == "poison" for event in events):
            raise Died
        return clean(events, between)

    monkeypatch.setattr(draining.net, "clean", poisoned)
    deaths = 0
    for _ in range(10):
        try:
            bench.drain()
        except Died:
            deaths += 1
    assert deaths == draining.ATTEMPTS
    assert bench.sums() == {"stored": 2, "quarantined": 1}
    (held,) = bench.rows("SELECT reason, attempts, payload FROM quarantine")
    assert held["attempts"] == draining.ATTEMPTS + 1
    assert "poison" in held["payload"]
    assert bench.stream.waiting() == 0


def test_a_database_that_is_away_keeps_everything_pending(bench, at_once, monkeypatch):
    bench.push(tool(0))

    def away(*_args, **_kwargs):
        raise DatabaseUnavailable(why="nothing listens there")

    with monkeypatch.context() as patch:
        patch.setattr(draining, "ingest", away)
        with pytest.raises(DatabaseUnavailable):
            bench.drain()
    assert bench.stream.waiting() == 1
    assert bench.drain() == 1
    assert bench.sums() == {"stored": 1}


def test_a_quarantined_event_can_be_retried_or_dropped(bench, monkeypatch):
    bench.push(prompt("kept", 0), b"{", tool(1))
    with monkeypatch.context() as patch:
        patch.setattr(draining, "ATTEMPTS", 0)
        bench.drain()
    assert bench.sums() == {"quarantined": 3}
    held = bench.rows("SELECT id::text, payload FROM quarantine ORDER BY entry")
    good, bad, other = (row["id"] for row in held)
    client = bench.stream.client
    with bench.database.tenant(client) as connection:
        assert retry(connection, client, good) == "stored"
    with pytest.raises(Refused, match="not JSON"), bench.database.tenant(client) as connection:
        retry(connection, client, bad)
    with bench.database.tenant(client) as connection:
        drop(connection, client, other)
    with pytest.raises(NotFound), bench.database.tenant(client) as connection:
        retry(connection, client, other)
    assert bench.sums() == {"stored": 1, "quarantined": 2}
    assert bench.rows("SELECT text FROM exchanges") == [{"text": "kept"}]
    left = bench.rows("SELECT id::text, state, payload IS NULL AS empty FROM quarantine ORDER BY entry")
    assert left == [
        {"id": bad, "state": "held", "empty": False},
        {"id": other, "state": "dropped", "empty": True},
    ]


def test_a_failing_database_is_not_the_events_fault(bench, at_once, monkeypatch):
    bench.push(tool(0), prompt("hello", 1))

    def full(*_args, **_kwargs):
        raise DatabaseUnavailable(why="no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(draining, "ingest", full)
        for _ in range(draining.ATTEMPTS + 5):
            with pytest.raises(DatabaseUnavailable):
                bench.drain()
    assert bench.stream.abandoned(10)[0][1] <= 1
    assert bench.drain() == 2
    assert bench.sums() == {"stored": 2}


def test_what_cannot_be_walked_is_set_aside_at_once_without_its_payload(bench, monkeypatch):
    bench.push(prompt("fine", 0), prompt("strange", 1))
    clean_one = draining.net._clean

    def strange(event):
        if event.body.get("text") == "strange":
            raise RecursionError
        clean_one(event)

    monkeypatch.setattr(draining.net, "_clean", strange)
    bench.drain()
    assert bench.sums() == {"stored": 1, "quarantined": 1}
    (held,) = bench.rows("SELECT reason, payload FROM quarantine")
    assert held == {"reason": "it could not be redacted: RecursionError", "payload": None}


def test_a_key_too_long_for_the_index_is_the_events_fault(bench):
    bench.push(tool(0, project={"root": f"/{os.urandom(20_000).hex()}"}), tool(1, session="s-2"))
    bench.drain()
    sums = bench.sums()
    assert sums == {"stored": 1, "quarantined": 1}
    (held,) = bench.rows("SELECT reason FROM quarantine")
    assert "DatabaseRefused" in held["reason"]
