"""The spool: events on this machine's disk until the shipper takes them.

A record is a newline, the envelope, a newline, written by one ``write`` in append mode: a torn record is a line
of its own that harms no other. A writer holds a shared lock while it writes and looks whether the path still
names its file; the shipper renames the file away, then waits for an exclusive lock, so that nobody writes to
what it reads.
"""

from __future__ import annotations

import os
import sys

from capture.errors import SpoolRefused
from capture.paths import parent
from capture.regular import open_regular, read_regular

CURRENT = "current.jsonl"
SEALED = "sealed-"
FULL = "full"
REFUSED = "refused"
UNREADABLE = "unreadable"
TORN = "torn"
RESERVE = "reserve"
COUNTED = (REFUSED, UNREADABLE, TORN)
# The reserve holds numbers of WIDTH bytes, PLACES for each of what is counted.
RESERVED, WIDTH, PLACES = 4096, 4, 256
ASIDE = "aside"
TRIES = 50


def append(spool: str, line: bytes, most_bytes: int, fsync: bool = False) -> None:
    """Write one envelope to the directory ``spool``, made where it is missing.

    Above ``most_bytes`` of waiting events, or where the disk refuses, SpoolRefused is raised and the refusal
    counted in the file ``refused``. ``fsync`` waits for the disk.
    """
    record = b"\n" + line + b"\n"
    try:
        handle = _open(spool)
        try:
            if _waiting(spool) + len(record) > most_bytes:
                raise SpoolRefused(path=spool, why=f"it holds its limit of {most_bytes} bytes")
            if os.write(handle, record) != len(record):
                raise SpoolRefused(path=spool, why="the disk took a part of the event")
            if fsync:
                os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        count(spool, REFUSED)
        raise SpoolRefused(path=spool, why=error.strerror or str(error)) from None
    except SpoolRefused:
        count(spool, REFUSED)
        raise


def full(spool: str) -> bool:
    """Whether the stream is above its high-water mark, so that events go to the spool."""
    try:
        os.stat(f"{spool}/{FULL}")
    except OSError:
        return False
    return True


def count(spool: str, name: str) -> None:
    """Add one byte to the file ``name``: how often it happened is how long the file is.

    Where the disk has no room for that byte, the number is kept in the file ``reserve``, whose room is taken.
    """
    try:
        handle = _open_file(spool, name)
        try:
            if os.write(handle, b".") == 1:
                return
        finally:
            os.close(handle)
    except OSError:
        pass
    try:
        _count_in_place(spool, COUNTED.index(name) * PLACES + os.getpid() % PLACES)
    except OSError:
        return  # nothing can be written here at all


def _count_in_place(spool: str, place: int) -> None:
    """Add one to a number of the reserve. Each process has a place of its own, so that none waits for another."""
    handle = open_regular(f"{spool}/{RESERVE}", os.O_RDWR)
    try:
        if os.fstat(handle).st_size < RESERVED:
            return
        os.lseek(handle, place * WIDTH, 0)
        number = int.from_bytes(os.read(handle, WIDTH), "little") + 1
        os.lseek(handle, place * WIDTH, 0)
        os.write(handle, number.to_bytes(WIDTH, "little"))
    finally:
        os.close(handle)


def reserve(spool: str) -> None:
    """Take the room for counting on a full disk, in the directory ``spool``; where there is none, do without."""
    try:
        handle = open_regular(f"{spool}/{RESERVE}", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            # two that do this at once make it longer than it need be, and overwrite nothing
            missing = RESERVED - os.fstat(handle).st_size
            if missing > 0:
                os.write(handle, bytes(missing))
        finally:
            os.close(handle)
    except OSError:
        return


def counted(spool: str, name: str) -> int:
    """How often ``count`` was called with ``name``."""
    try:
        total = os.stat(f"{spool}/{name}").st_size
    except OSError:
        total = 0
    try:
        numbers = read_regular(f"{spool}/{RESERVE}", RESERVED)
    except OSError:
        return total
    first = COUNTED.index(name) * PLACES * WIDTH
    starts = range(first, first + PLACES * WIDTH, WIDTH)
    return total + sum(int.from_bytes(numbers[start : start + WIDTH], "little") for start in starts)


def _open_file(spool: str, name: str) -> int:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    try:
        return open_regular(f"{spool}/{name}", flags)
    except FileNotFoundError:
        _make(spool)
        return open_regular(f"{spool}/{name}", flags)


def _open(spool: str) -> int:
    """Open the current file under a shared lock, making sure that the path still names it."""
    path = f"{spool}/{CURRENT}"
    for _ in range(TRIES):
        handle = _open_file(spool, CURRENT)
        try:
            share(handle)
            if os.stat(path).st_ino == os.fstat(handle).st_ino:
                return handle
        except OSError:
            pass  # being sealed at this moment: the path gets a new file
        os.close(handle)
    raise SpoolRefused(path=spool, why="its file is locked")


def share(handle: int) -> None:
    """Take a shared lock at once, or raise OSError. On Windows an open file cannot be renamed, which does as well."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _make(spool: str) -> None:
    for directory in (parent(spool), spool):
        try:
            os.mkdir(directory, 0o700)
        except FileExistsError:
            continue


def _waiting(spool: str) -> int:
    """Bytes in the current and the sealed files. Having listed the directory, it sees to the reserve too."""
    total = 0
    names = os.listdir(spool)
    if RESERVE not in names:
        reserve(spool)
    for name in names:
        if name == CURRENT or name.startswith(SEALED):
            try:
                total += os.stat(f"{spool}/{name}").st_size
            except FileNotFoundError:
                continue
    return total
