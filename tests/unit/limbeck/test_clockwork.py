"""The schedule beside the worker's loop: it goes on after an error, ends at once, and no fork happens in a tick."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import ClassVar

import pytest

from limbeck.services import clockwork
from limbeck.services.clockwork import Clockwork


class Schedule:
    """A schedule that is due all the time; ``act`` is what a tick does."""

    made: ClassVar[list[Schedule]] = []

    def __init__(self):
        self.ticks, self.synced, self.closed = 0, 0, False
        Schedule.made.append(self)

    def tick(self):
        self.ticks += 1
        Schedule.act(self)
        return 0.001

    def should_sync(self):
        return self.ticks == 1

    def sync(self):
        self.synced += 1

    def close(self):
        self.closed = True


@pytest.fixture
def working(monkeypatch):
    """Start the clockwork with what its ticks do; it is stopped at the end."""
    begun = []
    Schedule.made = []
    monkeypatch.setattr(clockwork, "AGAIN", 0.001)

    def start(act):
        Schedule.act = staticmethod(act)
        begun.append(Clockwork(Schedule))
        begun[0].start()
        return begun[0]

    yield start
    for one in begun:
        one.stop()


def test_it_sends_what_is_due_until_it_is_stopped(working):
    often = threading.Event()
    clock = working(lambda schedule: schedule.ticks > 2 and often.set())
    assert often.wait(20)
    clock.stop()
    (schedule,) = Schedule.made
    assert not clock.is_alive()
    assert (schedule.synced, schedule.closed) == (1, True)


def test_an_error_ends_no_more_than_that_one_look(working, caplog):
    again = threading.Event()

    def act(schedule):
        if len(Schedule.made) == 1:
            raise RuntimeError(" ".join(["secret", "words"]))
        again.set()

    working(act)
    assert again.wait(20)
    assert Schedule.made[0].closed
    assert "begun anew" in caplog.text
    assert "secret words" not in caplog.text


def test_it_ends_while_it_sleeps(working, monkeypatch):
    slept = threading.Event()
    monkeypatch.setattr(Schedule, "tick", lambda self: slept.set() or 3600.0)
    clock = working(lambda _: None)
    assert slept.wait(20)
    clock.stop()
    assert not clock.is_alive()


def test_a_process_is_forked_between_two_ticks_and_is_free_of_the_lock(working):
    inside, go_on = threading.Event(), threading.Event()
    working(lambda _: inside.set() or go_on.wait(20))
    assert inside.wait(20)
    ended = []

    def fork():
        child = os.fork()
        if child == 0:
            os._exit(0 if clockwork._sending.acquire(timeout=5) else 1)
        ended.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

    forking = threading.Thread(target=fork)
    forking.start()
    forking.join(0.05)
    assert not ended
    go_on.set()
    forking.join(20)
    assert ended == [0]


def test_where_nothing_can_be_forked_it_is_there_too():
    program = "import os; del os.register_at_fork; import limbeck.services.clockwork"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
