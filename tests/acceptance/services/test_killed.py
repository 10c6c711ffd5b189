"""Everything that can be killed is killed: nothing answered is lost, and the next `up` is whole again."""

from __future__ import annotations

import os
import signal

import psycopg
import pytest
import redis

from limbeck.services import state as states
from limbeck.services.addresses import addresses
from limbeck.services.child import Identity
from limbeck.services.state import Phase
from limbeck.settings import Settings

from .conftest import processes_of, wait_until


def at(cli):
    return addresses(Settings(home=cli.home.path), cli.home)


def owner(cli):
    return psycopg.connect(at(cli).owner_url.replace("+psycopg", ""), autocommit=True)


@pytest.mark.parametrize("part", ["redis", "postgres", "worker", "distiller", "server"])
def test_a_killed_child_is_started_again(running, part):
    running.ok("up")
    before = running.state().children[part].identity
    os.kill(before.pid, signal.SIGKILL)
    wait_until(lambda: running.state().children[part].identity not in (None, before), running.logs)
    wait_until(lambda: running.report()["problems"] == [], running.logs)
    assert running.report()["parts"][part]["restarts"] >= 1


def test_a_killed_supervisors_children_are_taken_over_by_the_next_up(running):
    running.ok("up")
    before = running.state()
    os.kill(before.supervisor.pid, signal.SIGKILL)
    wait_until(lambda: not before.alive)
    code, output, _ = running("status")
    assert code == 1
    assert "not running" in output
    running.ok("up")
    after = running.state()
    assert after.supervisor != before.supervisor
    assert all(child.identity.process() is None for child in before.children.values())
    assert all(child.identity.process() is not None for child in after.children.values())


def test_down_stops_what_a_killed_supervisor_left(running):
    running.ok("up")
    before = running.state()
    os.kill(before.supervisor.pid, signal.SIGKILL)
    wait_until(lambda: not before.alive)
    assert "is down" in running.ok("down")
    assert processes_of(running.home) == []


def test_after_everything_was_killed_at_once_nothing_answered_is_lost(running):
    running.ok("up")
    with owner(running) as connection, redis.Redis.from_url(at(running).redis_url) as queue:
        connection.execute("CREATE TABLE kept (n int)")
        for number in range(100):
            connection.execute("INSERT INTO kept VALUES (%s)", (number,))
            queue.xadd("kept", {"n": number})
        for process in processes_of(running.home):
            process.kill()
    wait_until(lambda: not processes_of(running.home))
    running.ok("up")
    with owner(running) as connection, redis.Redis.from_url(at(running).redis_url) as queue:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (100,)
        assert queue.xlen("kept") == 100


def test_stale_pids_that_now_belong_to_others_harm_neither_them_nor_us(running):
    running.ok("up")
    running.ok("down")
    stranger = os.getpid()
    state = running.state()
    state.phase, state.supervisor = Phase.READY, Identity(stranger, 1.0)
    for child in state.children.values():
        child.identity = Identity(stranger, 1.0)
    states.write(running.home.run, state)
    lock = [
        str(stranger),
        str(running.home.state / "postgres"),
        "1",
        "5432",
        str(running.home.sockets),
        "",
        "",
        "ready",
    ]
    (running.home.state / "postgres" / "postmaster.pid").write_text("\n".join(lock) + "\n")
    (running.home.state / "redis" / "valkey.pid").write_text(f"{stranger}\n")
    assert running("status")[0] == 1
    running.ok("up")
    assert running.report()["problems"] == []


def test_nothing_survives_a_worker_and_a_supervisor_killed_one_after_the_other(running):
    running.ok("up")
    before = running.state()
    os.kill(before.children["worker"].identity.pid, signal.SIGKILL)
    wait_until(lambda: running.state().children["worker"].identity is None, running.logs)
    os.kill(before.supervisor.pid, signal.SIGKILL)
    wait_until(lambda: not before.alive)
    running.ok("down")
    assert processes_of(running.home) == []
