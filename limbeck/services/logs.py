"""Logs that do not grow for ever."""

from __future__ import annotations

import os
from pathlib import Path

LARGEST = 8 * 1024**2  # bytes; one older part of the same size is kept


def shorten(folder: Path, largest: int = LARGEST) -> None:
    """Move what a log above ``largest`` bytes holds to NAME.1 and empty it; its writers append and go on."""
    for path in folder.glob("*.log"):
        if path.stat().st_size <= largest:
            continue
        kept = path.with_name(f"{path.name}.1")
        with path.open("rb") as source, kept.open("wb") as target:
            kept.chmod(0o600)
            source.seek(-largest, os.SEEK_END)
            target.write(source.read(largest))
        os.truncate(path, 0)
