"""The Celery workers as children of the supervisor.

There are two, so that a distillation that takes its time never keeps an event from becoming a row, and the
embedding model is held by one process alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import psutil

from limbeck.errors import ServerStartFailed
from limbeck.services.child import Identity, gone, last_lines, spawn
from limbeck.services.program import python_command

# name -> the words that make `limbeck worker` this one
WORKERS = {
    "worker": ("--queues=ingest", "--schedule"),
    "distiller": ("--queues=distil", "--processes=1"),
}


class Worker:
    """A worker in a session of its own; it writes ``ready`` when it takes tasks."""

    title: ClassVar[str] = "The worker"
    command: ClassVar[str] = "worker"

    def __init__(self, ready: Path, log: Path, environment: dict[str, str], words: Sequence[str]) -> None:
        """``environment`` holds the settings, ``words`` the options; ``ready`` is a file that the worker makes."""
        self.ready, self.log, self._environment, self._words = ready, log, environment, words
        self._process: subprocess.Popen[bytes] | None = None

    def start(
        self, patience: float = 90.0, pause: Callable[[float], object] = time.sleep
    ) -> subprocess.Popen[bytes]:
        """Start and wait up to ``patience`` seconds until it takes tasks. Raises ServerStartFailed."""
        if self._process is not None:  # children of a worker that was killed
            end_group(self._process.pid, 0)
        self.ready.unlink(missing_ok=True)
        command = python_command("limbeck.main", self.command, *self._words, "--ready-file", str(self.ready))
        began = time.monotonic()
        process = self._process = spawn(command, log=self.log, env=self._environment)
        while process.poll() is None:
            if self.ready.exists():
                return process
            if time.monotonic() - began > patience:
                self.stop()
                raise ServerStartFailed(name=self.title, why=f"silent for {patience:.0f} s", log=self.log)
            pause(0.05)
        raise ServerStartFailed(name=self.title, why=last_lines(self.log, 1), log=self.log)

    def stop(self, seconds: float = 30.0) -> None:
        """Let running tasks end for up to ``seconds``, then end the rest: what was not done is done again."""
        if self._process is not None:
            end_group(self._process.pid, seconds)
            self._process.wait()
            self._process = None
        self.ready.unlink(missing_ok=True)


def end_orphan(identity: Identity | None, seconds: float = 30.0) -> None:
    """End a worker that an earlier supervisor left behind, with its children."""
    if identity is not None and identity.process() is not None:
        end_group(identity.pid, seconds)


def end_strays(ready: Path) -> bool:
    """End what a killed worker left of itself where nobody knows its number any more; returns whether anything ran.

    They are told by the file that only the worker of this home is asked to make.
    """
    found = False
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if ("--ready-file", str(ready)) in pairwise(words):
            with contextlib.suppress(psutil.Error):
                process.kill()
                found = True
    return found


def end_group(leader: int, seconds: float) -> None:
    """Ask the process ``leader`` of a session to end, wait, then kill whatever is left of its group."""
    if sys.platform == "win32":
        with contextlib.suppress(psutil.Error):
            psutil.Process(leader).terminate()
        return
    if seconds > 0:
        with contextlib.suppress(ProcessLookupError):
            os.kill(leader, signal.SIGTERM)
        gone(leader, seconds)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
