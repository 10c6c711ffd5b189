"""What to tell a person of an error: what is simply not started, what the disk refused, what nobody foresaw."""

from __future__ import annotations

import errno
import os
import traceback
from pathlib import Path

from schema.errors import DatabaseUnavailable, LimbeckError
from schema.failures import places

FULL = (errno.ENOSPC, errno.EDQUOT)  # whoever writes to an open file is not told which
ROOT = Path(__file__).resolve().parents[1]


def explained(error: Exception) -> LimbeckError:
    """Return what to tell a person of ``error``.

    That is NotRunning where a server of our own did not answer because nothing runs here, the error itself where it is
    ours, and of any other what may be said: its words may repeat what was stored.
    """
    if isinstance(error, LimbeckError):
        return _started(error)
    from limbeck.errors import DiskFull, FileTrouble, Unforeseen

    if isinstance(error, OSError) and error.errno in FULL:
        return DiskFull(why=error.strerror)
    if isinstance(error, OSError) and error.strerror and error.filename:
        return FileTrouble(path=error.filename, why=error.strerror)
    place = f"{type(error).__name__} at {_place(error)}"
    if os.environ.get("LIMBECK_LOG_LEVEL") == "debug":
        place += "\n" + places(error)
    return Unforeseen(place)


def _place(error: Exception) -> str:
    """Where the error left our code, as package/module.py:line."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [
        frame
        for frame in frames
        if Path(frame.filename).is_relative_to(ROOT) and "site-packages" not in frame.filename
    ]
    last = (ours or frames)[-1]
    path = Path(last.filename)
    return f"{path.relative_to(ROOT) if ours else path.name}:{last.lineno}"


def _started(error: LimbeckError) -> LimbeckError:
    from limbeck.errors import DatabaseRefused, DatabaseUnreachable, NotRunning, QueueUnreachable
    from limbeck.ship.errors import QueueUnavailable

    database = isinstance(error, DatabaseUnavailable | DatabaseUnreachable | DatabaseRefused)
    queue = isinstance(error, QueueUnreachable | QueueUnavailable)
    if not database and not queue:
        return error
    from limbeck.services import state as states
    from limbeck.services.home import Home
    from limbeck.settings import load

    settings = load()
    if not (settings.embedded_database if database else settings.embedded_redis):
        return error
    state = states.read(Home.at(settings.home).run)
    return error if state is not None and state.alive else NotRunning(home=settings.home)
