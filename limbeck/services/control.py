"""Start and stop the supervisor from the outside."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from limbeck.errors import ServerStopFailed, StartFailed
from limbeck.services import state as states
from limbeck.services.child import ending, gone, last_said, spawn
from limbeck.services.home import Home
from limbeck.services.leftovers import end_leftovers
from limbeck.services.program import python_command
from limbeck.services.state import Phase, State
from limbeck.settings import Settings, child_environment

PATIENCE = 240.0  # seconds: initdb, crash recovery, migrations and the worker, on a slow disk
LONGEST_STOP = 180.0  # seconds: every part takes all the time it may have to end
LOOK_EVERY = 0.05


def start(settings: Settings, home: Home, tell: Callable[[str], object]) -> tuple[State, bool]:
    """Bring everything up and wait until it answers; returns the state, and whether it ran already.

    Safe to call from several processes at once: one supervisor wins and all wait for it. ``tell`` hears each
    step. Raises HomeUnusable, NoSpace and StartFailed; a start that fails, or is interrupted, leaves nothing running.
    """
    home.prepare()
    found = states.read(home.run)
    if found is not None and found.phase is Phase.READY and found.alive:
        return found, True
    home.need_space(settings.embedded_database or settings.embedded_redis)
    ours = spawn(
        python_command("limbeck.services.supervisor"),
        log=home.logs / "supervisor.log",
        env=child_environment(settings),
    )
    try:
        return _wait(home, ours, tell), False
    except BaseException:
        if ours.poll() is None:
            ours.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):  # why it failed is what a person has to know
                ours.wait(LONGEST_STOP)
        raise


def _wait(home: Home, ours: subprocess.Popen[bytes], tell: Callable[[str], object]) -> State:
    deadline = time.monotonic() + PATIENCE
    step = ""
    while time.monotonic() < deadline:
        ended = ours.poll()
        state = states.read(home.run)
        if state is not None and state.phase is Phase.READY and state.alive:
            return state
        if ended is not None and ended != 0:
            mine = state is not None and state.supervisor.pid == ours.pid
            why = state.error if state is not None and mine else None
            raise StartFailed(why=why or _ended(home.logs / "supervisor.log", ours.pid, ended))
        if ended == 0 and state is not None and not state.alive:
            # Another process's start was there first, and has ended meanwhile.
            raise StartFailed(why=state.error or "Another start was stopped meanwhile; try again.")
        if state is not None and state.alive and state.step != step:
            step = state.step
            tell(step)
        time.sleep(LOOK_EVERY)
    raise StartFailed(why=f"It did not start within {PATIENCE:.0f} s; see {home.logs / 'supervisor.log'}.")


def _ended(log: Path, pid: int, code: int) -> str:
    """Why a supervisor ended before it wrote its first word: its own last line, not another start's."""
    said = last_said(log, pid)
    return f"The supervisor {ending(code)}{f': {said}' if said else f'; see {log}.'}"


def stop(home: Home, seconds: float = LONGEST_STOP) -> bool:
    """Stop the supervisor and all it runs, also what a killed one left; returns whether anything ran.

    Raises ServerStopFailed.
    """
    state = states.read(home.run)
    if state is not None and (process := state.supervisor.process()) is not None:
        if state.phase is not Phase.STOPPING:
            with contextlib.suppress(psutil.Error):
                os.kill(process.pid, signal.SIGTERM)
        if not gone(process.pid, seconds):
            raise ServerStopFailed(name="The supervisor", pid=process.pid, seconds=seconds)
        return True
    return _stop_orphans(home, state)


def _stop_orphans(home: Home, state: State | None) -> bool:
    if not home.run.is_dir():
        return False
    lock = FileLock(home.run / "lock", mode=0o600)
    try:
        with lock.acquire(timeout=5):
            ran = end_leftovers(home, state)
            if state is not None:
                state.phase = Phase.STOPPED
                states.write(home.run, state)
            return ran
    except Timeout:
        # A supervisor that has not written its first word yet.
        time.sleep(0.2)
        return stop(home)
