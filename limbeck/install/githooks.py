"""Our scripts in a repository's live hooks folder. A hook found there is kept beside ours and run first."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

from capture.project import ID_FILE, find
from hooks.git.registration import CHAINED, HOOKS, MARK, body
from limbeck.install import files, record
from limbeck.install.agents import Result
from limbeck.install.command import Command
from limbeck.install.errors import HookEdited, HookInTheWay
from limbeck.install.record import Place
from limbeck.install.repository import LiveHooks, live_hooks

_EXECUTABLE = 0o755
_MOVED_BY = {".legacy": "pre-commit", ".old": "lefthook"}


def script(hook: str, command: Command, *, sourced: bool) -> str:
    """Return the whole script of ``hook``, with its mark."""
    text = body(hook, command.posix(), sourced=sourced)
    return f"#!/bin/sh\n{MARK}{_digest(text)}\n{text}"


def ours(path: Path) -> bool:
    """Whether ``path`` is a script that we wrote. Raises ``HookEdited`` where it was changed since."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return False
    _, _, marked = text.partition("\n")
    if not marked.startswith(MARK):
        return False
    first, _, rest = marked.partition("\n")
    if first != MARK + _digest(rest):
        raise HookEdited(path=path)
    return True


def standing(folder: Path, hook: str) -> Path | None:
    """Return where our script of ``hook`` stands: in its place, or where another tool moved it to; None if
    nowhere."""
    candidates = [folder / hook, *(folder / (hook + suffix) for suffix in _MOVED_BY)]
    return next((path for path in candidates if ours(path)), None)


def runs(folder: Path, hook: str) -> bool:
    """Whether git reaches our script: in its place, or moved aside by pre-commit, which runs what it
    moved."""
    found = standing(folder, hook)
    return found is not None and runs_from(folder, hook, found)


def runs_from(folder: Path, hook: str, path: Path) -> bool:
    """Whether git reaches a script that stands at ``path``."""
    return path.name == hook or (path.suffix == ".legacy" and _is_pre_commit(folder / hook))


def check(project: Path) -> None:
    """Raise what ``install`` would refuse the repository at ``project`` for."""
    live = live_hooks(project)
    for hook in HOOKS:
        _check(live.folder, hook)
        files.require_open(live.folder / hook)


def install(project: Path, home: Path, command: Command) -> list[Result]:
    """Put our scripts into the live hooks folder of the repository at ``project``."""
    live = live_hooks(project)
    wanted = {hook: script(hook, command, sourced=live.sourced) for hook in HOOKS}
    with record.locked(home):
        for hook in HOOKS:
            _check(live.folder, hook)
        known = record.load(home)
        place = known.place("git", live.folder)
        made = tuple(files.make_folder(live.folder, files.SHARED_FOLDER)) or (place.folders if place else ())
        record.save(home, known.having(Place("git", str(live.folder), folders=made)))
        changed = [_put(live.folder, hook, text) for hook, text in wanted.items()]
    results = [Result(live.folder / hook, new) for hook, new in zip(HOOKS, changed, strict=True)]
    return [replace(results[0], notes=_notes(live)), *results[1:]]


def uninstall(project: Path, home: Path) -> list[Result]:
    """Take our scripts out and put the hooks back that were there before."""
    folder = live_hooks(project).folder
    with record.locked(home):
        found = {hook: standing(folder, hook) for hook in HOOKS}
        known = record.load(home)
        place = known.place("git", folder)
        for hook, path in found.items():
            if path is not None:
                _take_out(folder, hook, path)
        if place is not None:
            files.remove_empty(Path(made) for made in reversed(place.folders))
            record.save(home, known.lacking("git", folder))
    return [Result(path, True) for path in found.values() if path is not None]


def kept(project: Path) -> list[Path]:
    """Return what stays in the repository at ``project`` so that it is known again: its id, where it has one."""
    common = find(str(project.absolute()), make_id=None).common
    path = Path(common, ID_FILE) if common else None
    return [path] if path is not None and path.is_file() else []


def _check(folder: Path, hook: str) -> None:
    path, chained = folder / hook, folder / (hook + CHAINED)
    if standing(folder, hook) is None and os.path.lexists(path) and os.path.lexists(chained):
        raise HookInTheWay(chained=chained, hook=path)


def _put(folder: Path, hook: str, text: str) -> bool:
    if runs(folder, hook):
        path = standing(folder, hook) or folder / hook
        before = files.read(path)
        if before != text:
            files.replace(path, before, text)
        return before != text
    moved = standing(folder, hook)
    if moved is not None:
        _take_out(folder, hook, moved)
    path, chained = folder / hook, folder / (hook + CHAINED)
    found = os.path.lexists(path)
    if found:
        _check(folder, hook)
        path.rename(chained)
    try:
        files.replace(path, None, text, mode=_EXECUTABLE)
    except BaseException:
        if found:
            chained.rename(path)
        raise
    return True


def _take_out(folder: Path, hook: str, path: Path) -> None:
    chained = folder / (hook + CHAINED)
    if not os.path.lexists(chained):
        path.unlink()
    elif path.name != hook and _by_one_tool(chained, folder / hook):
        path.unlink()
        chained.unlink()
    else:
        chained.replace(path)


def _by_one_tool(old: Path, new: Path) -> bool:
    """Whether a tool's hook came back and moved ours aside, so that the one we kept is an older copy of it."""
    if _is_pre_commit(old) and _is_pre_commit(new):
        return True
    return old.is_file() and new.is_file() and old.read_bytes() == new.read_bytes()


def _is_pre_commit(path: Path) -> bool:
    try:
        return b"pre-commit" in path.read_bytes()
    except OSError:
        return False


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _notes(live: LiveHooks) -> tuple[str, ...]:
    notes = []
    if live.shared:
        notes.append(
            f"core.hooksPath is set outside this repository: {live.folder} serves every repository "
            "that has no hooks folder of its own."
        )
    elif live.tracked:
        notes.append(
            f"{live.folder} lies in the work tree. Leave our hooks out of your commits: they name paths of "
            "this machine. Every other worktree has a folder of its own."
        )
    if any((live.top / name).exists() for name in ("lefthook.yml", ".lefthook.yml")):
        notes.append(
            "`lefthook install` moves our hooks aside and does not run them: install again after it."
        )
    return tuple(notes)
