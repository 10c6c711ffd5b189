"""Opening what somebody else named: a regular file, or nothing. A pipe, a device or a folder is never waited for."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    Path = str | os.PathLike[str]

# Without O_NONBLOCK the opening of a pipe waits for its other end; with O_NOCTTY no terminal becomes ours.
PATIENT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
KIND, REGULAR = 0o170000, 0o100000


def open_regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o600) -> int:
    """Return a descriptor of the regular file at ``path``; OSError where it is none, also for a name no file has."""
    try:
        handle = os.open(path, flags | PATIENT, mode)
    except ValueError:
        raise OSError("no file has such a name") from None
    if os.fstat(handle).st_mode & KIND != REGULAR:
        os.close(handle)
        raise OSError("it is not a regular file")
    return handle


def read_regular(path: Path, most: int) -> bytes:
    """Return the beginning of the regular file at ``path``, at most ``most`` bytes; OSError as above."""
    handle = open_regular(path)
    try:
        return os.read(handle, most)
    finally:
        os.close(handle)
