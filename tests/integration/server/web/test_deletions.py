"""A deletion that was held is carried out, whoever held it, over whichever rendering; and nobody holds another's."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from functools import partial

import anyio
import pytest
from anyio import CapacityLimiter, to_thread
from sqlalchemy import text

from schema import held
from server.errors import Missing
from server.perform import Performer
from server.principal import Principal, Right
from server.tokens.verify import Verifier
from server.web.app import viewer
from server.web.look import OPERATIONS

HOLD = OPERATIONS["hold_deletion"]


@pytest.fixture
def ann(world) -> Principal:
    return Principal("team", "ann", right=Right.WRITE, token=world.token("team", "ann", Right.WRITE).id)


def saved(world, principal: Principal, content: str) -> str:
    performer = Performer(world.database, lambda: None)
    return str(performer.perform(principal, OPERATIONS["postMemory"], {"content": content}, "rest").memory.id)


def left(world, content: str) -> int:
    with world.database.everyone("team") as connection:
        return connection.scalar(text("SELECT count(*) FROM memories WHERE content = :c"), {"c": content})


def watched(world, *holds) -> None:
    """Run the watch over deletions; call each of ``holds`` with its performer, and wait for its deletion."""
    gone = threading.Event()
    performer = Performer(world.database, lambda: None)
    limiter = CapacityLimiter(2)
    watch = viewer(performer, Verifier(world.database, performer.clock), limiter).deletions
    performer.after["deleteMemoryById"] = lambda _principal, _result: gone.set()

    async def run() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch.run)
            for hold in holds:
                gone.clear()
                await to_thread.run_sync(hold, performer)
                await to_thread.run_sync(partial(gone.wait, 30))
                assert gone.is_set()
            tasks.cancel_scope.cancel()

    anyio.run(run)


@pytest.fixture
def at_once(monkeypatch) -> None:
    monkeypatch.setattr("server.operations.views.UNDO_FOR", timedelta(0))


@pytest.mark.usefixtures("at_once")
def test_the_operation_itself_makes_it_happen(world, ann):
    memories = [saved(world, ann, f"crane {number}") for number in range(2)]
    # The second comes after the watch's own look at what was left.
    watched(
        world, *(lambda one, id=memory: one.perform(ann, HOLD, {"id": id}, "rest") for memory in memories)
    )
    assert left(world, "crane 0") + left(world, "crane 1") == 0


@pytest.mark.usefixtures("at_once")
def test_what_another_process_held_is_found_by_a_look(world, ann, monkeypatch):
    monkeypatch.setattr("server.web.deletions.LOOK_S", 0.05)
    memory = saved(world, ann, "the dock is long")
    other = Performer(world.database, lambda: None)
    watched(world, lambda _performer: other.perform(ann, HOLD, {"id": memory}, "rest"))
    assert left(world, "the dock is long") == 0


def test_nobody_holds_what_is_another_persons_or_nobodys(world, ann):
    memory = saved(world, ann, "the sail is torn")
    eve = Principal("team", "eve", right=Right.ADMIN, token=world.token("team", "eve").id)
    performer = Performer(world.database, lambda: None)
    for who, which in ((eve, memory), (ann, "mem_" + "0" * 26), (ann, "mem_" + "7" + "z" * 25)):
        with pytest.raises(Missing):
            performer.perform(who, HOLD, {"id": which}, "rest")


def test_what_somebody_else_held_stands_in_nobodys_way(world, ann):
    memory, now = saved(world, ann, "the net is wet"), datetime.now(UTC)
    eve = world.token("team", "eve").id
    with world.database.tenant("team", "eve") as connection:
        held.hold(connection, "team", memory, "eve", eve, now + timedelta(days=1))
    with world.database.tenant("team", "ann") as connection:
        assert held.hold(connection, "team", memory, "ann", str(ann.token), now) == now
        assert [one["memory"] for one in held.waiting(connection, "team", "ann")] == [memory]
        held.done(connection, "team", memory, "ann")
        assert held.waiting(connection, "team", "ann") == []
    with world.database.everyone("team") as connection:
        held.done(connection, "team", memory, "eve")
