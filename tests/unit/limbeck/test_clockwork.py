"""The schedule beside the worker's loop: it goes on after an error, ends at once, and no fork happens in a tick."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import ClassVar

import pytest

from limbeck.main import main
from limbeck.services import clockwork
from limbeck.services.application import schedule_file
from limbeck.services.clockwork import Clockwork
from limbeck.services.home import Home
from limbeck.services.sole import Sole


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
def kept(tmp_path):
    """Where the schedule is kept."""
    return tmp_path / "schedule"


@pytest.fixture
def working(monkeypatch, kept):
    """Start the clockwork with what its ticks do; it is stopped at the end."""
    begun = []
    Schedule.made = []
    monkeypatch.setattr(clockwork, "AGAIN", 0.001)

    def start(act, sole=None):
        Schedule.act = staticmethod(act)
        begun.append(Clockwork(Schedule, sole or Sole(kept)))
        begun[-1].start()
        return begun[-1]

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


class Asked(Sole):
    """Notes that it was refused."""

    def __init__(self, schedule):
        super().__init__(schedule)
        self.refused = threading.Event()

    def taken(self):
        mine = super().taken()
        if not mine:
            self.refused.set()
        return mine


def test_a_second_one_sends_nothing_until_the_first_has_ended(working, kept, caplog):
    first, second, sent = Sole(kept), Asked(kept), threading.Event()
    assert first.taken()
    clock = working(lambda _: sent.set(), second)
    assert second.refused.wait(20)
    assert Schedule.made == []
    first.let_go()
    assert sent.wait(20)
    assert not first.taken()
    clock.stop()
    assert first.taken()
    first.let_go()
    assert "another process sends this home's periodic tasks" in caplog.text


def test_one_that_waits_for_its_turn_ends_when_asked(working, kept):
    first, second = Sole(kept), Asked(kept)
    assert first.taken()
    clock = working(lambda _: None, second)
    assert second.refused.wait(20)
    clock.stop()
    assert (clock.is_alive(), Schedule.made) == (False, [])
    first.let_go()


HOLDER = """
import os, sys
from pathlib import Path
from limbeck.services.sole import Sole
sole = Sole(Path(sys.argv[1]))
assert sole.taken()
if os.fork() == 0:
    sys.stdin.read()  # outlives the holder, as a task process may
    os._exit(0)
print("taken", flush=True)
sys.stdin.read()
"""


def test_a_holder_that_is_killed_lets_go_also_where_its_children_live_on(kept):
    command = [sys.executable, "-c", HOLDER, str(kept)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"taken\n"
        sole = Sole(kept)
        assert not sole.taken()
        holder.kill()
        holder.wait()
        assert sole.taken()
        sole.let_go()


def test_a_second_schedule_of_a_home_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LIMBECK_HOME", str(tmp_path))
    home = Home.at(tmp_path)
    home.prepare()
    first = Sole(schedule_file(home))
    assert first.taken()
    try:
        with pytest.raises(SystemExit) as ended:
            main(["schedule"])
    finally:
        first.let_go()
        home.remove()
    assert ended.value.code == 1
    assert f"Another process sends the periodic tasks of {tmp_path} already" in capsys.readouterr().err


def test_where_nothing_can_be_forked_it_is_there_too():
    program = "import limbeck.services.sole, os; del os.register_at_fork; import limbeck.services.clockwork"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
