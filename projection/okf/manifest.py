"""The manifest as it is read from a disk: trusted in nothing, since anybody may have put it there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import PurePosixPath

from projection.errors import UnsafePath

MOST_BYTES = 32 * 1024 * 1024
MOST_FILES = 100_000


@dataclass(frozen=True, slots=True)
class Manifest:
    """Which files a bundle has: hash by path."""

    generation: int
    project: str
    files: dict[str, str]


class Unreadable(ValueError):
    """It is no manifest."""


def parse(content: bytes) -> Manifest:
    """Read a manifest. Raises Unreadable, and UnsafePath where it lists a file outside the bundle."""
    if len(content) > MOST_BYTES:
        raise Unreadable("it is too large")
    try:
        told = json.loads(content.decode("utf-8"))
        listed = told["files"]
        if not isinstance(listed, list) or len(listed) > MOST_FILES:
            raise Unreadable("it lists too many files, or none")
        files = {safe(str(one["path"])): str(one["sha256"]) for one in listed}
        return Manifest(int(told.get("generation", 0)), str(told.get("project", "")), files)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(type(error).__name__) from error


def safe(path: str) -> str:
    """Return ``path`` where it lies inside the bundle and is written plainly. Raises UnsafePath."""
    parts = PurePosixPath(path).parts
    if not path or path.startswith("/") or "\\" in path or (len(path) > 1 and path[1] == ":"):
        raise UnsafePath(path=path[:200], why="it is absolute, or not written with /")
    if ".." in parts or "/".join(parts) != path or any(ord(c) < 32 for c in path):
        raise UnsafePath(path=path[:200], why="it leads out of the bundle")
    return path
