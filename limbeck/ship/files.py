"""The spool's files as the shipper sees them: sealing, reading in order, removing, and what is left in them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from capture.envelope import MOST_BYTES, decode
from capture.errors import CaptureError
from capture.regular import open_regular
from capture.spool import ASIDE, CURRENT, REFUSED, SEALED, TORN, UNREADABLE, count, counted, full

TORN_LINES = "torn.jsonl"
MOST_TORN_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits in a spool: bytes, age in seconds of the oldest event, and what was counted as lost or odd.

    ``torn`` lines could not be sent, ``aside`` errands could not be run, ``later`` ones are run at leisure. ``full``
    says that hooks spool because the queue is above its high-water mark.
    """

    bytes: int = 0
    files: int = 0
    oldest_seconds: float | None = None
    errands: int = 0
    refused: int = 0
    unreadable: int = 0
    torn: int = 0
    torn_bytes: int = 0
    aside: int = 0
    later: int = 0
    full: bool = False


def seal(spool: Path, *, beside: bool = False) -> None:
    """Move the current file aside, where it holds anything and nothing is sealed yet, or ``beside`` what is."""
    current = spool / CURRENT
    try:
        if (sealed(spool) and not beside) or not current.stat().st_size:
            return
        current.rename(spool / f"{SEALED}{time.time_ns() // 1_000_000:013d}-{os.getpid()}.jsonl")
    except OSError:
        return  # nothing there, or (on Windows) somebody writes: the next look finds it


def sealed(spool: Path) -> list[Path]:
    """The sealed files, oldest first; a pipe or a folder of such a name is none."""
    return [path for path in sorted(spool.glob(f"{SEALED}*.jsonl")) if path.is_file()]


def settled(path: Path) -> bool:
    """Whether every writer that opened the file before it was sealed has finished."""
    if sys.platform == "win32":
        return True
    import fcntl

    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def lines(path: Path) -> Iterator[bytes]:
    """The non-blank lines of a sealed file, in order; one longer than an envelope comes in pieces."""
    with os.fdopen(open_regular(path), "rb") as file:
        while line := file.readline(2 * MOST_BYTES):
            if stripped := line.strip():
                yield stripped


def keep_torn(spool: Path, line: bytes) -> None:
    """Count a line that cannot be sent (a write that never ended), and keep it as long as there is room for such."""
    count(str(spool), TORN)
    path = spool / TORN_LINES
    if _size(path) + len(line) > MOST_TORN_BYTES:
        return
    handle = open_regular(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    with os.fdopen(handle, "ab") as file:
        file.write(line + b"\n")


def backlog(spool: Path, now: float) -> Backlog:
    """Look at what waits; ``now`` is in Unix seconds. An absent spool is an empty one."""
    waiting = [path for path in [spool / CURRENT, *sealed(spool)] if _size(path)]
    errands = sorted((spool / "errands").glob("*.json"))
    begun = [first for path in [*waiting, *errands[:1]] if (first := _begun(path)) is not None]
    return Backlog(
        bytes=sum(_size(path) for path in waiting),
        files=len(waiting),
        oldest_seconds=max(0.0, now - min(begun)) if begun else None,
        errands=len(errands),
        refused=counted(str(spool), REFUSED),
        unreadable=counted(str(spool), UNREADABLE),
        torn=counted(str(spool), TORN),
        torn_bytes=_size(spool / TORN_LINES),
        aside=len(list((spool / ASIDE).glob("*.json"))),
        later=len(list((spool / "later").glob("*.json"))),
        full=full(str(spool)),
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _begun(path: Path) -> float | None:
    """When the first event in the file was captured, Unix seconds."""
    try:
        for line in lines(path):
            at = decode(line)["at"]
            return at / 1000 if isinstance(at, int) else None
    except (OSError, CaptureError):
        pass
    try:
        return path.stat().st_mtime
    except OSError:
        return None
