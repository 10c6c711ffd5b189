"""What is to be forgotten on this machine's disk: events that were not shipped yet, and copies that come again."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from capture.brief import FOLDER
from capture.spool import ASIDE
from limbeck.ship import errands, files
from limbeck.ship.errors import AnotherShipper
from limbeck.ship.loop import lock

Wanted = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Local:
    """``events`` of the spool that are to go or went; ``reached`` is False where a shipper is at work on it."""

    events: int = 0
    reached: bool = True


def waiting(spool: Path, wanted: Wanted) -> int:
    """Count the events of ``spool`` that are ``wanted``, and change nothing."""
    lines = [line for path in [spool / "current.jsonl", *_linewise(spool)] for line in _lines(path)]
    return sum(wanted(_event(line)) for line in lines) + len(_single(spool, wanted))


def forget(spool: Path, wanted: Wanted) -> Local:
    """Take the ``wanted`` events out of ``spool``.

    A running shipper empties it into the queue anyway; it is left alone, and told of where something is left then.
    """
    if not spool.is_dir():
        return Local()
    try:
        with lock(spool):
            files.seal(spool, beside=True)
            paths = _linewise(spool)
            if not all(files.settled(path) for path in paths):
                return Local(reached=False)
            gone = sum(_without(path, wanted) for path in paths)
            for path in _single(spool, wanted):
                path.unlink(missing_ok=True)
                gone += 1
            return Local(gone, reached=not waiting(spool, wanted))
    except AnotherShipper:
        return Local(reached=not waiting(spool, wanted))


def clean(spool: Path, change: Callable[[Any], Any]) -> Local:
    """Write every event of ``spool`` as ``change`` gives it; return how many changed.

    A running shipper is left alone: what it sends is cleaned before it becomes a row.
    """
    if not spool.is_dir():
        return Local()
    try:
        with lock(spool):
            files.seal(spool, beside=True)
            paths = [*_linewise(spool), *_single(spool, lambda _event: True)]
            return Local(sum(_rewritten(path, change) for path in paths if files.settled(path)))
    except AnotherShipper:
        return Local(reached=not waiting(spool, lambda event: change(event) != event))


def drop_briefs(home: Path) -> None:
    """Remove the copies that sessions start with; the shipper sees that they are gone and fetches them again."""
    for path in (home / FOLDER).glob("*"):
        with contextlib.suppress(OSError):
            path.unlink()


def _linewise(spool: Path) -> list[Path]:
    torn = spool / files.TORN_LINES
    return [*files.sealed(spool), *([torn] if torn.is_file() else [])]


def _single(spool: Path, wanted: Wanted) -> list[Path]:
    """Errands, each a file with one event."""
    paths = [
        path
        for name in (errands.FOLDER, errands.LATER, ASIDE)
        for path in sorted((spool / name).glob("*.json"))
    ]
    return [path for path in paths if any(wanted(_event(line)) for line in _lines(path))]


def _lines(path: Path) -> Iterable[bytes]:
    try:
        return list(files.lines(path))
    except OSError:
        return []


def _event(line: bytes) -> Any:
    """The event, or the line's text where it is none."""
    told = line.decode("utf-8", "replace")
    try:
        return json.loads(told)
    except (ValueError, RecursionError):
        return told


def _without(path: Path, wanted: Wanted) -> int:
    """Write ``path`` anew without the wanted lines, as one act; return how many there were."""
    lines = list(_lines(path))
    kept = [line for line in lines if not wanted(_event(line))]
    if len(kept) < len(lines):
        _replace(path, kept)
    return len(lines) - len(kept)


def _rewritten(path: Path, change: Callable[[Any], Any]) -> int:
    """Write ``path`` anew with each line as ``change`` gives it, as one act; return how many are others now."""
    lines = list(_lines(path))
    events = [_event(line) for line in lines]
    after = [change(event) for event in events]
    new = [
        line if event == changed else _line(changed)
        for line, event, changed in zip(lines, events, after, strict=True)
    ]
    if new != lines:
        _replace(path, new)
    return sum(one != other for one, other in zip(new, lines, strict=True))


def _line(event: Any) -> bytes:
    told = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return told.encode("utf-8", "replace")


def _replace(path: Path, lines: Iterable[bytes]) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.writelines(line + b"\n" for line in lines)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
