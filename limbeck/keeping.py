"""Which folders this machine keeps up to date with a project's bundle, and who may write one at a time."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from limbeck.private import private_home
from schema.errors import LimbeckError
from schema.folders import PRIVATE, make

FILE = "bundles.json"
WAIT_S = 60.0


class FolderBusy(LimbeckError):
    """Another limbeck writes {folder} just now. Try again."""

    permanent = False


def kept(home: Path) -> dict[str, str]:
    """Return the project's id by the folder that holds its bundle. A file that cannot be read keeps none."""
    try:
        told = json.loads((home / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(folder): str(project) for folder, project in told.items()} if isinstance(told, dict) else {}


def keep(home: Path, folder: Path, project: str) -> None:
    """Keep ``folder`` up to date with ``project`` from now on."""
    _write(home, kept(home) | {str(folder.absolute()): project})


def drop(home: Path, folder: Path) -> bool:
    """Keep ``folder`` no longer; True where it was kept. Its files stay."""
    found = kept(home)
    known = found.pop(str(folder.absolute()), None) is not None
    if known:
        _write(home, found)
    return known


@contextmanager
def alone_in(home: Path, folder: Path) -> Iterator[None]:
    """Be the only one of this machine that writes ``folder``. Raises FolderBusy after a minute."""
    name = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
    place = home / "run"
    private_home(home)
    make(place, PRIVATE)
    try:
        with FileLock(place / f"folder-{name}.lock", mode=0o600).acquire(timeout=WAIT_S):
            yield
    except Timeout:
        raise FolderBusy(folder=folder) from None


def _write(home: Path, told: dict[str, str]) -> None:
    new = home / f"{FILE}.new"
    new.touch(mode=0o600)
    new.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", "utf-8")
    new.replace(home / FILE)
