"""Files that a process which was killed did not finish: written beside their place, and never put there."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from capture.brief import FOLDER as BRIEFS
from capture.spool import ASIDE
from limbeck.services.home import Home
from limbeck.ship import errands

# NAME.PID; a process writes under its own number only.
WRITTEN_BY = re.compile(r".+\.([0-9]{1,10})")
IN_THE_HOME = re.compile(r"\.token\.[0-9]+|hook\.json\.[0-9]+")
# Settings and the record of what was installed are written under a random name, in moments.
BY_CHANCE = re.compile(r"\.(config\.toml|installed\.json)\.[a-z0-9_]{8}")
MOMENTS = 60.0  # seconds


def sweep(home: Home) -> list[str]:
    """Delete them in the folders of ``home``, and return their names; what a living process writes stays."""
    gone = []
    for path in [*_numbered(home), *_aged(home.path)]:
        with contextlib.suppress(OSError):
            path.unlink()
            gone.append(str(path.relative_to(home.path)))
    return gone


def _numbered(home: Home) -> Iterator[Path]:
    spool = home.spool
    folders = [home.run, home.path / BRIEFS, home.path / "hooks", home.path / "model", spool]
    folders += [spool / name for name in (errands.FOLDER, errands.LATER, ASIDE)]
    candidates = [path for path in home.path.glob("*") if IN_THE_HOME.fullmatch(path.name)]
    for path in [*candidates, *(path for folder in folders for path in folder.glob("*"))]:
        found = WRITTEN_BY.fullmatch(path.name)
        if found and path.is_file() and not path.is_symlink() and not _at_work(int(found[1]), path):
            yield path


def _at_work(pid: int, path: Path) -> bool:
    """Whether the process that writes ``path`` lives: one that began after the file was touched is another."""
    try:
        return psutil.Process(pid).create_time() <= path.stat().st_mtime + 1.0
    except (psutil.Error, OSError, OverflowError):
        return False


def _aged(folder: Path) -> Iterator[Path]:
    for path in folder.glob(".*"):
        with contextlib.suppress(OSError):
            if BY_CHANCE.fullmatch(path.name) and time.time() - path.lstat().st_mtime > MOMENTS:
                yield path
