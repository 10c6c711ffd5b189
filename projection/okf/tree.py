"""A bundle on a disk: written, brought up to date and read, without touching what is not its own.

The order makes it safe to interrupt: the new manifest is laid down first under another name, then files are written
one by one (each whole or not at all), then stale ones go, and last the manifest takes its place. Whatever a run left
behind is listed by one of the two manifests, so the next run knows it for its own.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from projection.errors import NotABundle, NotOurFolder, UnsafePath
from projection.okf import manifest as manifests
from projection.okf.manifest import Manifest, safe
from projection.okf.render import MANIFEST
from projection.way import require_plain
from schema.folders import SHARED, make

NEXT = "manifest.json.next"
NEW = ".limbeck-new"  # ends the name of a file that is being written
MOST_FILE = 16 * 1024 * 1024
MOST_ALL = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Done:
    """What a reconciliation did."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int


def reconcile(
    folder: Path,
    files: Mapping[str, bytes],
    manifest: bytes,
    step: Callable[[str], object] = lambda _path: None,
) -> Done:
    """Make ``folder`` hold exactly ``files`` and ``manifest``, beside whatever was never ours.

    ``step`` is told each path before it is touched. Raises UnsafePath (also for symbolic links on the way) and
    NotOurFolder where a file of somebody else's is in the way; both before anything is written.
    """
    require_plain(folder)
    known = _known(folder, manifests.parse(manifest).project)
    wanted = {safe(path): content for path, content in files.items()}
    for path in sorted({*wanted, *known, MANIFEST, NEXT}):
        _require_plain(folder, path)
    same = {path for path, content in wanted.items() if _holds(folder / path, content)}
    foreign = [path for path in wanted if path not in known and path not in same and (folder / path).exists()]
    if foreign:
        why = f"{len(foreign)} of its files are not of a bundle ({', '.join(sorted(foreign)[:3])})"
        raise NotOurFolder(folder=folder, why=why)
    if not known and folder.is_dir() and any(not one.name.startswith(".") for one in folder.iterdir()):
        raise NotOurFolder(folder=folder, why="it holds other files, and no bundle")
    make(folder, SHARED)
    written = sorted(set(wanted) - same)
    stale = sorted(path for path in known if path not in wanted and (folder / path).is_file())
    if written or stale or not _holds(folder / MANIFEST, manifest):
        step(NEXT)
        write_whole(folder / NEXT, manifest)
        for path in written:
            step(path)
            write_whole(folder / path, wanted[path])
        for path in stale:
            step(path)
            (folder / path).unlink(missing_ok=True)
        _tidy(folder, {*wanted, *known})
        step(MANIFEST)
        (folder / NEXT).replace(folder / MANIFEST)
    return Done(tuple(written), tuple(stale), len(same))


def generation(folder: Path) -> int | None:
    """The generation that ``folder`` holds; None where it holds none, or one that was not finished."""
    if (folder / NEXT).exists():
        return None
    try:
        return manifests.parse((folder / MANIFEST).read_bytes()).generation
    except (OSError, manifests.Unreadable, UnsafePath):
        return None


def read(folder: Path) -> dict[str, bytes]:
    """Return every file below ``folder`` by its path. Raises UnsafePath for links, NotABundle for what is too large."""
    require_plain(folder)
    if not folder.is_dir():
        raise NotABundle(folder=folder, why="it is no folder")
    found: dict[str, bytes] = {}
    size = 0
    for where, folders, names in os.walk(folder):
        for name in sorted([*folders, *names]):
            path = Path(where, name)
            told = path.relative_to(folder).as_posix()
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                raise UnsafePath(path=told, why="it is a symbolic link")
            if not stat.S_ISREG(mode):
                continue
            size += path.stat().st_size
            if path.stat().st_size > MOST_FILE or size > MOST_ALL or len(found) >= manifests.MOST_FILES:
                raise NotABundle(folder=folder, why=f"it is larger than a bundle can be (at {told})")
            found[told] = path.read_bytes()
    return found


def _known(folder: Path, project: str) -> set[str]:
    """What the finished manifest and that of an interrupted run list; both must be of this ``project``."""
    known: set[str] = set()
    for name in (MANIFEST, NEXT):
        _require_plain(folder, name)
        try:
            found = manifests.parse((folder / name).read_bytes())
            if found.project != project:
                raise NotOurFolder(
                    folder=folder, why=f"it holds the bundle of {found.project or 'no project'}"
                )
            known |= set(found.files)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except manifests.Unreadable as error:
            if name == NEXT:  # a run died while it wrote this one, before anything else
                continue
            raise NotOurFolder(folder=folder, why=f"its {name} cannot be read: {error}") from error
    return known


def _require_plain(folder: Path, path: str) -> None:
    """Raise UnsafePath where ``folder`` or anything on the way to ``path`` below it is a symbolic link."""
    way = folder
    for part in ("", *PurePosixPath(path).parts):
        way = way / part
        try:
            mode = way.lstat().st_mode
        except FileNotFoundError:
            return
        except NotADirectoryError:
            raise UnsafePath(path=way, why="a file stands where a folder is wanted") from None
        if stat.S_ISLNK(mode):
            raise UnsafePath(path=way, why="it is a symbolic link")
    if not stat.S_ISREG(mode):
        raise UnsafePath(path=way, why="it is not a plain file")


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def write_whole(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path``, whole or not at all."""
    make(path.parent, SHARED)
    new = path.with_name(path.name + NEW)
    new.unlink(missing_ok=True)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o644)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    new.replace(path)


def _tidy(folder: Path, paths: Iterable[str]) -> None:
    """Take away what an interrupted write left, and the folders that are empty now."""
    folders = set()
    for path in paths:
        (folder / (path + NEW)).unlink(missing_ok=True)
        folders |= {parent.as_posix() for parent in PurePosixPath(path).parents}
    (folder / (NEXT + NEW)).unlink(missing_ok=True)
    for name in sorted(folders - {"."}, key=lambda one: (-one.count("/"), one)):
        place = folder / name
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def verified(folder: Path, files: Mapping[str, bytes]) -> Manifest:
    """The manifest of a bundle that was read, every listed file being as listed. Raises NotABundle, UnsafePath."""
    if MANIFEST not in files:
        raise NotABundle(folder=folder, why=f"it has no {MANIFEST}")
    try:
        found = manifests.parse(files[MANIFEST])
    except manifests.Unreadable as error:
        raise NotABundle(folder=folder, why=f"its {MANIFEST} cannot be read: {error}") from error
    for path, told in found.files.items():
        if path not in files:
            raise NotABundle(folder=folder, why=f"{path} is listed and not there")
        if hashlib.sha256(files[path]).hexdigest() != told:
            raise NotABundle(folder=folder, why=f"{path} was changed since the bundle was made")
    return found
