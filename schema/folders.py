"""Folders, made with the mode they are to have: the caller's umask may take from it, and never adds."""

from __future__ import annotations

from pathlib import Path

PRIVATE = 0o700
SHARED = 0o755  # what other people may read


def make(path: Path, mode: int) -> list[Path]:
    """Make ``path`` and what is missing above it, each with ``mode``; return those made, outermost first.

    Raises OSError.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()][::-1]
    for folder in missing:
        folder.mkdir(mode=mode, exist_ok=True)
    if not path.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(path))
    return missing
