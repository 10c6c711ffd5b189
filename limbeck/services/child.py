"""One child process of ours: started in a session of its own, known by pid and start time."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from limbeck.services.account import Account, spawn_as


@dataclass(frozen=True, slots=True)
class Identity:
    """A process, not just a number that may have been given to another: pid and start time (Unix seconds).

    ``born`` is the same start as no setting of the clock moves it; empty where the system does not tell.
    """

    pid: int
    started: float
    born: str = ""

    @classmethod
    def own(cls) -> Identity:
        """The identity of this process."""
        return cls(os.getpid(), psutil.Process().create_time(), _born(os.getpid()))

    @classmethod
    def of(cls, pid: int) -> Identity | None:
        """The identity of a live process, or None."""
        try:
            return cls(pid, psutil.Process(pid).create_time(), _born(pid))
        except psutil.Error:
            return None

    def process(self) -> psutil.Process | None:
        """The process while it lives and is still the same one; a zombie counts as gone."""
        try:
            process = psutil.Process(self.pid)
            born = _born(self.pid) if self.born else ""
            same = born == self.born if born else abs(process.create_time() - self.started) < 0.02
            return process if same and process.status() != psutil.STATUS_ZOMBIE else None
        except psutil.Error:
            return None


def _born(pid: int) -> str:
    """The boot, and the tick since then, at which ``pid`` began (Linux)."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        told = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return f"{boot}/{told[19]}"
    except (OSError, IndexError):
        return ""


def spawn(
    command: Sequence[str | Path],
    *,
    log: Path,
    account: Account | None = None,
    env: dict[str, str] | None = None,
    cwd: Path | str = "/",
) -> subprocess.Popen[bytes]:
    """Start ``command`` in a session of its own with both outputs appended to ``log`` (mode 0600)."""
    log.touch(mode=0o600)
    with log.open("ab") as output:
        return subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=env,
            cwd=cwd,
            start_new_session=True,
            **spawn_as(account),
        )


def gone(pid: int, seconds: float) -> bool:
    """Wait up to ``seconds`` until ``pid`` has ended (reaping is the caller's, a zombie counts as ended)."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.Error:
            return True
        time.sleep(0.02)
    return False


def last_of(text: str) -> str:
    """The last line that says something."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "it said nothing")


def last_lines(log: Path, count: int = 2) -> str:
    """The last ``count`` non-empty lines of a log, joined; empty where there is none."""
    with contextlib.suppress(OSError):
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - 4096))
            lines = [
                line.strip() for line in stream.read().decode(errors="replace").splitlines() if line.strip()
            ]
        return " / ".join(lines[-count:])
    return ""


def last_said(log: Path, pid: int) -> str:
    """The message of the last line that ``pid`` wrote near the end of a log whose lines name the process third."""
    with contextlib.suppress(OSError):
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - 65536))
            lines = stream.read().decode(errors="replace").splitlines()
        told = (line.split(maxsplit=4) for line in reversed(lines))
        return next((words[4] for words in told if len(words) == 5 and words[2] == str(pid)), "")
    return ""


def ending(code: int) -> str:
    """How a child ended."""
    return f"ended with signal {-code}" if code < 0 else f"ended with code {code}"
