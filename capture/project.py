"""Which project a directory belongs to, read from git's files without running git."""

from __future__ import annotations

import os

from capture.ids import new_id
from capture.paths import bounded, join, parent, slashes
from capture.regular import open_regular, read_regular
from capture.remote import local_path, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ID_FILE = "limbeck-id"
MOST_PARENTS = 64
MOST_HOPS = 3
CONFIG_BYTES = 262144


class Project:
    """Where work happens: ``common`` and ``gitdir`` are git's directories, ``root`` the worktree's top.

    Outside git only ``root`` is set. ``remote`` is normalised; ``id`` is what is kept in the common directory.
    """

    __slots__ = ("common", "gitdir", "id", "remote", "root")

    def __init__(
        self,
        root: str | None,
        common: str | None = None,
        gitdir: str | None = None,
        remote: str | None = None,
        id: str | None = None,
    ) -> None:
        """Hold the parts, paths absolute."""
        self.root = root
        self.common = common
        self.gitdir = gitdir
        self.remote = remote
        self.id = id


def find(cwd: str | None, make_id: Callable[[], str] | None = new_id) -> Project:
    """Return the project that ``cwd`` (which may be gone) lies in.

    Where there is no remote on the network, an id is written once into the common directory; a clone of a
    local repository takes over the id of what it was cloned from. ``make_id`` None only looks and writes nothing.
    """
    cwd = bounded(cwd)
    if not cwd:
        return Project(None)
    start = slashes(cwd).rstrip("/") or "/"
    top = start
    for _ in range(MOST_PARENTS):
        gitdir = _gitdir(top)
        if gitdir is not None:
            return _repository(top, gitdir, make_id)
        above = parent(top)
        if above == top:
            break
        top = above
    return Project(start)


def read(path: str, limit: int = 4096) -> str | None:
    """Return the beginning of a regular text file, at most ``limit`` bytes, or None where it cannot be read."""
    try:
        return read_regular(path, limit).decode("utf-8", "replace")
    except OSError:
        return None


def _gitdir(top: str) -> str | None:
    """The git directory of a worktree whose top is ``top``: ``.git`` itself, or where a ``.git`` file points."""
    marker = f"{top.rstrip('/')}/.git"
    try:
        mode = os.stat(marker).st_mode
    except (OSError, ValueError):
        return None
    if mode & 0o170000 == 0o040000:
        return marker if read(f"{marker}/HEAD", 16) is not None else None
    line = read(marker)
    if line is None or not line.startswith("gitdir:"):
        return None
    return join(top, line[7:].strip())


def _common(gitdir: str) -> str:
    line = read(f"{gitdir}/commondir")
    return join(gitdir, line.strip()) if line and line.strip() else gitdir


def _repository(top: str, gitdir: str, make_id: Callable[[], str] | None) -> Project:
    common = _common(gitdir)
    remote, ident = _identity(common, make_id, MOST_HOPS)
    return Project(top, common, gitdir, remote, ident)


def _identity(common: str, make_id: Callable[[], str] | None, hops: int) -> tuple[str | None, str | None]:
    """The (remote, id) of a repository; a remote on this machine is followed to its own identity."""
    ident = (read(f"{common}/{ID_FILE}", 64) or "").strip() or None
    address = origin(read(f"{common}/config", CONFIG_BYTES) or "")
    remote = normalise(address) if address else None
    if remote or ident:
        return remote, ident
    source = local_path(address) if address else None
    if source and hops:
        other = join(parent(common), source)
        inner = _gitdir(other)
        found = _common(inner) if inner else other
        if found != common and read(f"{found}/HEAD", 16) is not None:
            remote, ident = _identity(found, make_id, hops - 1)
            if remote or ident:
                return remote, _keep(common, ident) if make_id and ident and not remote else ident
    return None, _keep(common, make_id()) if make_id else None


def _keep(common: str, ident: str) -> str | None:
    """Write the id file once, whoever comes first; returns what it holds, None where it cannot be written."""
    path = f"{common}/{ID_FILE}"
    draft = f"{path}.{os.getpid()}"
    try:
        handle = open_regular(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    except OSError:
        return None
    try:
        os.write(handle, ident.encode() + b"\n")
    except OSError:
        return None
    finally:
        os.close(handle)
        linked = _link(draft, path)
        os.unlink(draft)
    return (read(path, 64) or "").strip() or None if linked else None


def _link(draft: str, path: str) -> bool:
    try:
        os.link(draft, path)
    except FileExistsError:
        return True
    except OSError:
        return False
    return True


def origin(config: str) -> str | None:
    """Return the address of ``origin`` in the text of a git config, else of the first remote named in it."""
    first: str | None = None
    name: str | None = None
    for raw in config.splitlines():
        line = raw.strip()
        if line.startswith("["):
            name = _remote_name(line)
            line = line.partition("]")[2].strip()
        if name is None or not line.lower().startswith("url"):
            continue
        key, equals, value = line.partition("=")
        if not equals or key.strip().lower() != "url":
            continue
        address = _value(value)
        if name == "origin":
            return address
        first = first or address
    return first


def _remote_name(header: str) -> str | None:
    kind, quote, rest = header[1:].partition('"')
    return rest.partition('"')[0] if quote and kind.strip().lower() == "remote" else None


def _value(text: str) -> str:
    """A config value without quotes, escapes and a trailing comment."""
    kept: list[str] = []
    quoted = False
    signs = iter(text.strip())
    for sign in signs:
        if sign == "\\":
            kept.append(next(signs, ""))
        elif sign == '"':
            quoted = not quoted
        elif sign in "#;" and not quoted:
            break
        else:
            kept.append(sign)
    return "".join(kept).strip()
