"""The way to a folder of ours: a repository that somebody else made must not lead it elsewhere."""

from __future__ import annotations

from pathlib import Path

from capture.project import find
from projection.errors import UnsafePath


def require_plain(folder: Path) -> None:
    """Raise UnsafePath where ``folder``, or anything between it and its project's root, is a symbolic link.

    The root is the outermost repository around it (a link to another repository leads out of its own), else the
    current folder. What lies above that is the machine's owner's.
    """
    whole = folder.absolute()
    root = _root(whole)
    for place in (whole, *whole.parents):
        if place == root:
            return
        if place.is_symlink():
            raise UnsafePath(path=place, why="it is a symbolic link")


def _root(folder: Path) -> Path:
    outermost, place = None, folder
    while (found := find(str(place), make_id=None)).common is not None and found.root is not None:
        outermost = Path(found.root)
        place = outermost.parent
        if place == outermost:
            break
    if outermost is not None:
        return outermost
    here = Path.cwd()
    return here if folder.is_relative_to(here) and folder != here else folder.parent
