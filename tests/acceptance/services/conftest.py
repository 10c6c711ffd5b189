"""Real processes: the command line in homes of their own, stopped and removed afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from limbeck.services import state as states
from limbeck.services.control import stop
from limbeck.services.home import Home
from limbeck.services.program import python_command


class Cli:
    """``limbeck`` with one home."""

    def __init__(self, home: Path, **variables: str) -> None:
        self.home = Home.at(home)
        # Several homes run at once: each server takes a port that is free.
        self.variables = {"LIMBECK_HOME": str(home), "LIMBECK_SERVER_PORT": "0"} | variables

    def start(self, *words: str, **more: str) -> subprocess.Popen[str]:
        """Start a command."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home.path)} | self.variables | more
        return subprocess.Popen(
            python_command("limbeck.main", *words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def __call__(self, *words: str, **more: str) -> tuple[int, str, str]:
        """Run a command; returns its exit code and both outputs."""
        process = self.start(*words, **more)
        output, errors = process.communicate(timeout=200)
        return process.returncode, output, errors

    def ok(self, *words: str) -> str:
        """Run a command that must succeed."""
        code, output, errors = self(*words)
        assert code == 0, (words, output, errors, self.logs())
        return output

    def report(self) -> dict[str, Any]:
        """What ``limbeck status --json`` says."""
        _, output, errors = self("status", "--json")
        assert output, errors
        return json.loads(output)

    def state(self) -> states.State:
        """The supervisor's state file."""
        state = states.read(self.home.run)
        assert state is not None
        return state

    def logs(self) -> str:
        """The ends of all logs."""
        return "\n".join(
            f"{p.name}: {p.read_text(errors='replace')[-1500:]}" for p in self.home.logs.glob("*.log")
        )


def wait_until(true: Callable[[], object], logs: Callable[[], str] = str, seconds: float = 90.0) -> None:
    """Look again until ``true()`` holds; fail after ``seconds`` and show the ``logs``."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"it did not come about\n{logs()}"
        time.sleep(0.05)


def processes_of(home: Home) -> list[psutil.Process]:
    """Every live process that names this home or its state folder, or has it in its environment."""
    marks = {str(home.path), str(home.state), str(home.sockets)}
    found = []
    for process in psutil.process_iter():
        try:
            said = " ".join(process.cmdline()) + process.environ().get("LIMBECK_HOME", "")
            if process.status() != psutil.STATUS_ZOMBIE and any(mark in said for mark in marks):
                found.append(process)
        except psutil.Error:
            continue
    return found


def remove(cli: Cli) -> None:
    """Stop and remove everything of ``cli``; nothing may be left running."""
    stop(cli.home)
    left = processes_of(cli.home)
    cli.home.remove()
    assert not left, [process.cmdline() for process in left if process.is_running()]


@pytest.fixture
def cli_in(tmp_path: Path) -> Iterator[Callable[..., Cli]]:
    """Make a ``limbeck`` for a home of this test's own."""
    made: list[Cli] = []

    def make(home: Path | None = None, **variables: str) -> Cli:
        made.append(Cli(home or tmp_path / "home", **variables))
        return made[-1]

    yield make
    for cli in made:
        remove(cli)


@pytest.fixture
def cli(cli_in: Callable[..., Cli]) -> Cli:
    """``limbeck`` with an empty home."""
    return cli_in()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cli]:
    """A home that one module's tests share, each leaving it fit to run."""
    cli = Cli(tmp_path_factory.mktemp("shared") / "a home with spaces, commas & ünïcode")
    yield cli
    remove(cli)


@pytest.fixture
def running(shared: Cli) -> Cli:
    """The shared home, up."""
    shared.ok("up")
    return shared


assert sys.platform != "win32"
