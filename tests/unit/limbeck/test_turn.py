"""Whose turn it is to supervise: who loses a race waits for the winner's word, and tells what its own end was."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable

import pytest
from filelock import FileLock

from limbeck.errors import StartFailed
from limbeck.services import child, control
from limbeck.services import state as states
from limbeck.services.child import Identity
from limbeck.services.home import Home
from limbeck.services.program import python_command
from limbeck.services.state import Phase, State
from limbeck.services.turn import take
from limbeck.settings import Settings

GONE = Identity(2**22 + 1, 1.0)


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path)
    for folder in (made.run, made.logs):
        folder.mkdir()
    return made


@pytest.fixture
def holder(home):
    """Whoever holds the lock of the home."""
    with FileLock(home.run / "lock") as held:
        yield held


def nothing(_seconds: float) -> None:
    raise AssertionError("it waited")


def doing(*acts: Callable[[], object]) -> Callable[[float], object]:
    """A pause in which the other process does the next of ``acts``."""
    left = iter(acts)
    return lambda _seconds: next(left)()


def test_a_free_lock_is_taken_at_once(home):
    lock = take(home, nothing)
    assert lock is not None
    assert lock.is_locked
    lock.release()


@pytest.mark.parametrize("phase", [Phase.STARTING, Phase.READY])
def test_who_says_that_it_runs_has_the_turn(home, holder, phase):
    states.write(home.run, State(Identity.own(), phase))
    assert take(home, nothing) is None


@pytest.mark.parametrize(
    "before",
    [None, State(GONE, Phase.STOPPED), State(GONE, Phase.READY), State(Identity.own(), Phase.STOPPING),
     State(Identity.own(), Phase.STOPPED), State(Identity.own(), Phase.FAILED)],
)  # fmt: skip
def test_a_holder_that_has_not_said_so_is_waited_for_until_it_says_so_or_ends(home, holder, before):
    if before is not None:
        states.write(home.run, before)
    looked = []

    def says() -> None:
        states.write(home.run, State(Identity.own(), Phase.STARTING))

    assert take(home, doing(lambda: looked.append(1), says)) is None
    assert looked == [1]
    if before is not None:
        states.write(home.run, before)
    else:
        (home.run / "state.json").unlink()
    lock = take(home, doing(holder.release))
    assert lock is not None
    lock.release()


class Ended:
    """A supervisor that has ended."""

    def __init__(self, pid: int, code: int) -> None:
        self.pid, self.code = pid, code

    def poll(self) -> int:
        return self.code


@pytest.mark.parametrize(
    ("code", "pid", "says"),
    [
        (1, 71, "The supervisor ended with code 1: The disk has left. Look for it."),
        (-9, 72, "The supervisor ended with signal 9; see {log}."),
    ],
)
def test_a_start_that_failed_tells_its_own_reason_and_not_anothers(home, monkeypatch, code, pid, says):
    log = home.logs / "supervisor.log"
    log.write_text(
        "2026-01-01 00:00:00,000 70 INFO starting redis\n"
        "2026-01-01 00:00:00,000 71 INFO starting redis\n"
        "2026-01-01 00:00:00,001 71 ERROR The disk has left. Look for it.\n"
        "2026-01-01 00:00:00,002 70 INFO starting postgres\n"
    )
    states.write(home.run, State(Identity.own(), Phase.STARTING))
    monkeypatch.setattr(control, "spawn", lambda *_, **__: Ended(pid, code))
    with pytest.raises(StartFailed) as failed:
        control.start(Settings(home=home.path), home, lambda _: None)
    assert str(failed.value) == says.format(log=log)


def test_what_keeps_a_supervisor_from_its_first_word_is_its_last_line(home):
    variables = {"LIMBECK_HOME": str(home.path), "LIMBECK_COLOUR": "red", "PATH": os.defpath}
    done = subprocess.run(
        python_command("limbeck.services.supervisor"),
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "ERROR There is no setting LIMBECK_COLOUR" in done.stderr.splitlines()[-1]


def test_a_process_is_the_same_one_after_the_clock_was_set(monkeypatch):
    monkeypatch.setattr(child, "_born", lambda _pid: "boot/17")
    mine = Identity.own()
    assert Identity(mine.pid, mine.started - 3600, "boot/17").process() is not None
    assert Identity(mine.pid, mine.started, "boot/18").process() is None
    monkeypatch.setattr(child, "_born", lambda _pid: "")  # the system does not tell
    assert Identity(mine.pid, mine.started, "boot/17").process() is not None
    assert Identity(mine.pid, mine.started - 3600, "boot/17").process() is None
