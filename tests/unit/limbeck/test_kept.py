"""A kept child: reaped, started again after a pause that grows, forgiven once it has lived long enough."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from limbeck.errors import ServerStartFailed
from limbeck.services.kept import KILLED, RENEWED_WITHIN, Kept


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Sleeper:
    """A service whose child sleeps; ``failures`` starts fail first."""

    def __init__(self) -> None:
        self.started: list[subprocess.Popen[bytes]] = []
        self.failures = 0

    def start(self, *, pause: Callable[[float], object]) -> subprocess.Popen[bytes]:
        if self.failures:
            self.failures -= 1
            raise ServerStartFailed(name="Sleeper", why="no bed", log="none")
        self.started.append(subprocess.Popen([sys.executable, "-ISc", "import time; time.sleep(600)"]))
        return self.started[-1]

    def stop(self) -> None:
        for process in self.started:
            process.kill()
            process.wait()


class Deaf(Sleeper):
    """Its child does not hear that it is to end; it has begun not to once ``start`` returns."""

    PROGRAM = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "print(flush=True); time.sleep(600)"
    )

    def start(self, *, pause: Callable[[float], object]) -> subprocess.Popen[bytes]:
        child = subprocess.Popen([sys.executable, "-ISc", self.PROGRAM], stdout=subprocess.PIPE)
        self.started.append(child)
        with child.stdout as said:
            said.readline()
        return child


@pytest.fixture
def sleeper():
    service = Sleeper()
    yield service
    service.stop()


@pytest.fixture
def clock():
    return Clock()


def pause(_seconds: float) -> None:
    """Nothing waits in these tests."""


def die(service: Sleeper) -> None:
    service.started[-1].kill()
    service.started[-1].wait()


def test_while_it_lives_nothing_changes(sleeper, clock):
    kept = Kept("sleeper", sleeper, clock)
    kept.start(pause)
    assert kept.watch(pause) is False
    assert kept.state.identity.pid == sleeper.started[0].pid
    assert kept.state.restarts == 0


def test_a_dead_child_is_told_and_started_again_only_after_its_pause(sleeper, clock):
    kept = Kept("sleeper", sleeper, clock)
    kept.start(pause)
    die(sleeper)
    assert kept.watch(pause) is True
    assert (kept.state.identity, kept.state.error) == (None, "it ended with signal 9")
    clock.now += 0.4
    assert kept.watch(pause) is False
    clock.now += 0.2
    assert kept.watch(pause) is True
    assert (kept.state.restarts, kept.state.error) == (1, None)
    assert len(sleeper.started) == 2


def test_pauses_double_up_to_half_a_minute_while_it_fails(sleeper, clock):
    kept = Kept("sleeper", sleeper, clock)
    kept.start(pause)
    die(sleeper)
    kept.watch(pause)
    sleeper.failures = 8
    waits = []
    for _ in range(8):
        waited = 0.0
        while not kept.watch(pause):
            clock.now += 0.5
            waited += 0.5
        waits.append(waited)
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    assert "no bed" in kept.state.error


def test_a_child_that_lived_a_minute_is_started_again_quickly(sleeper, clock):
    kept = Kept("sleeper", sleeper, clock)
    kept.start(pause)
    for _ in range(4):
        die(sleeper)
        kept.watch(pause)
        clock.now += 30
        assert kept.watch(pause)
    clock.now += 60
    die(sleeper)
    kept.watch(pause)
    clock.now += 0.5
    assert kept.watch(pause) is True
    assert kept.state.identity is not None


def test_a_first_start_that_fails_is_told_and_tried_again_without_counting_as_one(sleeper, clock):
    kept = Kept("sleeper", sleeper, clock)
    sleeper.failures = 2
    kept.try_to_start(pause)
    assert (kept.state.identity, kept.state.restarts) == (None, 0)
    assert "no bed" in kept.state.error
    clock.now += 0.5
    assert kept.watch(pause) is True
    assert kept.state.restarts == 0
    clock.now += 1.0
    assert kept.watch(pause) is True
    assert (kept.state.restarts, kept.state.error) == (0, None)
    assert kept.state.identity.pid == sleeper.started[0].pid


def test_a_renewed_child_ends_in_order_and_starts_at_once_without_counting_as_fallen(sleeper, clock):
    kept = Kept("sleeper", sleeper, clock)
    kept.start(pause)
    kept.renew()
    sleeper.started[0].wait()
    assert kept.watch(pause) is True
    assert kept.state.error == "it starts again"
    assert kept.watch(pause) is True
    assert kept.state.error is None
    assert kept.state.identity.pid == sleeper.started[1].pid
    assert kept.state.restarts == 0
    die(sleeper)
    kept.watch(pause)
    assert "signal 9" in kept.state.error


def test_one_that_is_down_is_tried_at_once_where_it_is_renewed(sleeper, clock):
    kept = Kept("sleeper", sleeper, clock)
    sleeper.failures = 1
    kept.try_to_start(pause)
    kept.renew()
    assert kept.watch(pause) is True
    assert kept.state.identity.pid == sleeper.started[0].pid


def test_a_renewed_child_that_does_not_end_is_killed_after_its_time_and_that_is_told(clock):
    deaf = Deaf()
    try:
        kept = Kept("deaf", deaf, clock)
        kept.start(pause)
        kept.renew()
        clock.now += RENEWED_WITHIN / 2
        kept.renew()  # a further change gives it no further time
        assert kept.watch(pause) is False
        clock.now += RENEWED_WITHIN / 2
        assert kept.watch(pause) is True
        assert kept.state.error == f"it {KILLED}"
        assert deaf.started[0].wait() == -signal.SIGKILL
        assert kept.watch(pause) is True
        assert kept.state.error == f"it starts again; it {KILLED}"
        assert kept.watch(pause) is True
        assert (kept.state.error, kept.state.restarts) == (None, 0)
        assert kept.state.identity.pid == deaf.started[1].pid
        kept.renew()  # the next one has its whole time again
        assert kept.watch(pause) is False
    finally:
        deaf.stop()
