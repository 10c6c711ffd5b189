"""Temporary folders of measurements: gone afterwards, also after Ctrl-C, and after a kill by the next run.

A run holds the lock of its folder as long as it lives, so a folder whose lock is free was left by one that was killed.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from filelock import FileLock, Timeout

from limbeck.errors import HomeUnusable
from limbeck.services.home import Home

PREFIX = "limbeck-bench-"
LOCK = "lock"
HOME = "home"
STRANGE_AFTER_S = 86_400  # a folder without a lock is none of this version's; none of theirs runs so long
ENDING_S = 10.0
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that accounts of servers may pass through; removed at the end with all that runs out of it.

    Whoever asks this process to end meanwhile is answered as Ctrl-C is.
    """
    with _heard(_interrupt, [number for number in SIGNALS if number != signal.SIGINT]), _made() as made:
        yield made


@contextmanager
def _made() -> Iterator[Path]:
    sweep()
    made = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
    made.chmod(0o711)
    lock = FileLock(made / LOCK, mode=0o600)
    lock.acquire()
    try:
        yield made
    finally:
        with undisturbed():
            _remove(made)
            lock.release()


def sweep(below: Path | None = None) -> list[Path]:
    """Remove what killed runs of this account left in the temporary folder; return what was removed."""
    gone = []
    for left in sorted((below or Path(tempfile.gettempdir())).resolve().glob(f"{PREFIX}*")):
        with suppress(OSError):
            found = left.lstat()
            if not left.is_dir() or left.is_symlink() or found.st_uid != os.geteuid():
                continue
            if not (left / LOCK).is_file():
                if time.time() - found.st_mtime < STRANGE_AFTER_S:
                    continue
                _remove(left)
                gone.append(left)
                continue
            with suppress(Timeout), FileLock(left / LOCK, timeout=0):
                _remove(left)
                gone.append(left)
    return gone


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let no further Ctrl-C end the cleaning up."""
    with _heard(signal.SIG_IGN, SIGNALS):
        yield


@contextmanager
def _heard(handler: Any, numbers: list[signal.Signals]) -> Iterator[None]:
    """Have signals handled so, where that can be said: in the main thread."""
    here = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, handler) for number in numbers} if here else {}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _remove(made: Path) -> None:
    _end(made)
    if (made / HOME).is_dir():
        with suppress(HomeUnusable):
            Home.at(made / HOME).remove()
    shutil.rmtree(made, ignore_errors=True)


def _end(made: Path) -> None:
    """End every process that runs out of the folder: data that is thrown away needs no patience."""
    found = [process for process in psutil.process_iter() if _runs_out_of(made, process)]
    for process in found:
        with suppress(psutil.Error):
            process.terminate()
    for process in psutil.wait_procs(found, timeout=ENDING_S)[1]:
        with suppress(psutil.Error):
            process.kill()


def _runs_out_of(made: Path, process: psutil.Process) -> bool:
    """Whether it is a server of ours whose program, home or data lies in the folder."""
    if process.pid == os.getpid():
        return False
    inside = f"{made}{os.sep}"
    with suppress(psutil.Error, OSError):
        if process.exe().startswith(inside):
            return True
        if process.name().startswith("valkey"):
            return any(inside in f"{word}{os.sep}" for word in process.cmdline())
        return process.environ().get("LIMBECK_HOME", "").startswith(inside)
    return False
