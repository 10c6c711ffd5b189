"""Files of other programs, read and replaced whole: atomically, through symbolic links, with owner and
mode kept."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from limbeck.install.errors import SettingsMoving, SettingsNotWritable, SettingsUnreadable
from schema.folders import PRIVATE, SHARED, make

NEW_FILE = 0o600
NEW_FOLDER = PRIVATE
_ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
SHARED_FOLDER = SHARED  # in a project, whose other people may read it


def read(path: Path) -> str | None:
    """Return the text of ``path``, None where there is no file. Raises ``SettingsUnreadable``.

    A pipe or a device in a file's place is never waited for.
    """
    try:
        kind = path.stat().st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            raise SettingsUnreadable(path=path, why="it is not a file")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise SettingsUnreadable(path=path, why="it is not UTF-8 text") from None
    except OSError as error:
        raise SettingsUnreadable(path=path, why=error.strerror) from None


def make_folder(path: Path, mode: int = NEW_FOLDER) -> list[str]:
    """Make ``path`` and what is missing above it; return the folders made, outermost first."""
    try:
        return [str(folder) for folder in make(path, mode)]
    except OSError as error:
        raise SettingsNotWritable(path=path, why=error.strerror) from None


def require_writable(path: Path) -> None:
    """Raise ``SettingsNotWritable`` where ``replace`` would be refused, or ``path`` is marked read-only.

    Whoever took the right to write from a file wants it left, also where the folder would let it be replaced.
    """
    target = Path(os.path.realpath(path))
    try:
        if not target.stat().st_mode & _ANY_WRITE:
            raise SettingsNotWritable(path=path, why="it is read-only")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise SettingsNotWritable(path=path, why=error.strerror) from None
    require_open(target)


def require_open(path: Path) -> None:
    """Raise ``SettingsNotWritable`` where nothing may be put beside ``path``, or in its place."""
    folder = next(above for above in path.parents if above.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SettingsNotWritable(path=path, why=f"{folder} is closed to you")


def replace(path: Path, before: str | None, after: str | None, *, mode: int = NEW_FILE) -> None:
    """Make ``path`` hold ``after`` (None: no file) if it still holds ``before``, in one step.

    A symbolic link stays and the file it names is replaced. ``mode`` is for a file that was not there. Raises
    ``SettingsMoving`` where the file changed meanwhile, ``SettingsNotWritable`` where it may not be written.
    """
    require_writable(path)
    target = Path(os.path.realpath(path))
    if read(target) != before:
        raise SettingsMoving(path=path)
    try:
        if after is None:
            target.unlink(missing_ok=True)
            return
        _write(target, after.encode("utf-8"), mode)
    except OSError as error:
        raise SettingsNotWritable(path=path, why=error.strerror) from None


def _write(target: Path, data: bytes, mode: int) -> None:
    known = target.stat() if target.exists() else None
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if known is not None and hasattr(os, "fchown") and (known.st_uid, known.st_gid) != _ids():
                os.fchown(file.fileno(), known.st_uid, known.st_gid)
        beside.chmod(stat.S_IMODE(known.st_mode) if known is not None else mode)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _ids() -> tuple[int, int]:
    return os.geteuid(), os.getegid()


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove each of ``folders`` (innermost first) that is empty; the others stay."""
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            continue
