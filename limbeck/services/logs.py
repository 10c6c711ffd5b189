"""Logs that do not grow for ever, and whose lines can be cleaned while others write to them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

LARGEST = 8 * 1024**2  # bytes; one older part of the same size is kept
PIECE = 1024**2
PASSES = 10
Clean = Callable[[str], str]


def rewriting(folder: Path) -> FileLock:
    """The lock of whoever empties or cleans the logs of ``folder``: one at a time."""
    return FileLock(folder / ".rewriting", mode=0o600)


def shorten(folder: Path, largest: int = LARGEST) -> None:
    """Move what a log above ``largest`` bytes holds to NAME.1 and empty it; its writers append and go on.

    What comes while it is moved is moved too. Nothing is done while another process is at work on the logs.
    """
    try:
        with rewriting(folder).acquire(timeout=0):
            for path in folder.glob("*.log"):
                if path.stat().st_size > largest:
                    _move(path, largest)
    except Timeout:
        return


def cover(path: Path, clean: Clean) -> int:
    """Write over what ``clean`` takes out of the lines of ``path``; return how many it changed. Raises OSError.

    Each line keeps its place and its length: nothing that its writers append meanwhile is touched. The caller holds
    ``rewriting``.
    """
    changed = start = 0
    with path.open("r+b") as file:
        for _ in range(PASSES):  # what came meanwhile is looked at too
            file.seek(start)
            held = file.read()
            for place, line in changes(held, clean):
                file.seek(start + place)
                file.write(line)
                changed += 1
            file.flush()
            if os.fstat(file.fileno()).st_size <= start + len(held):
                break
            start += held.rfind(b"\n") + 1  # a line that was cut off is read again as a whole
    return changed


def changes(held: bytes, clean: Clean) -> list[tuple[int, bytes]]:
    """The lines of ``held`` that ``clean`` makes others, each with its place, in as many bytes as it had.

    A longer one loses its end, a shorter one gets spaces.
    """
    found, place = [], 0
    for line in held.split(b"\n"):
        told = _text(line)
        after = clean(told)
        if after != told:
            fitted = after.encode("utf-8", "surrogateescape")[: len(line)].ljust(len(line))
            whole = clean(_text(fitted)) == _text(fitted)
            found.append((place, fitted if whole else b"." * len(line)))
        place += len(line) + 1
    return found


def _text(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def _move(path: Path, largest: int) -> None:
    kept = path.with_name(f"{path.name}.1")
    with path.open("rb") as source, kept.open("wb") as target:
        kept.chmod(0o600)
        source.seek(-largest, os.SEEK_END)
        while piece := source.read(PIECE):
            target.write(piece)
        target.flush()
        while piece := source.read(PIECE):  # and what came while that was written
            target.write(piece)
        os.truncate(path, 0)
