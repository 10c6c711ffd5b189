"""How many events wait on this machine's disk: counted without any server."""

from __future__ import annotations

from pathlib import Path

from capture.spool import CURRENT
from limbeck.ship import files


def events(folder: Path) -> int:
    """The events in the spool at ``folder``, errands included; 0 where there is none."""
    lines = sum(_lines(path) for path in [folder / CURRENT, *files.sealed(folder)])
    return lines + sum(1 for _ in (folder / "errands").glob("*.json"))


def _lines(path: Path) -> int:
    try:
        return sum(1 for _ in files.lines(path))
    except FileNotFoundError:
        return 0
