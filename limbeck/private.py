"""The home is its owner's alone: what lies in it was captured, or opens the way to what was."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from limbeck.errors import HomeUnusable
from schema.folders import PRIVATE, make

OTHERS = 0o077


def private_home(home: Path) -> None:
    """Make ``home`` where it is missing, and let nobody else into it where it was there.

    Raises HomeUnusable where that cannot be: it is somebody else's, everybody's, or no folder.
    """
    try:
        make(home, PRIVATE)
        held = home.stat()
        mode = stat.S_IMODE(held.st_mode)
        if sys.platform == "win32" or not mode & OTHERS:
            return
        if mode & stat.S_ISVTX:
            raise HomeUnusable(path=home, why="it is a folder that everybody shares")
        if held.st_uid == os.geteuid():
            home.chmod(PRIVATE)
        elif os.access(home, os.W_OK):
            raise HomeUnusable(path=home, why=f"another account owns it and lets others in (mode {mode:04o})")
    except OSError as error:
        raise HomeUnusable(path=home, why=error.strerror or error) from error
