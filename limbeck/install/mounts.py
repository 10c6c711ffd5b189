"""Mount our MCP server in an agent's settings, and take it out again; every other byte of the file stays.

A stale entry of ours is renewed. An entry of our name that somebody else wrote makes room, and comes back with
uninstalling.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hooks.registration import Mount, Registration
from limbeck.install import edits, files, record
from limbeck.install.agents import Result
from limbeck.install.edits import Edit
from limbeck.install.errors import AgentPlaceMissing
from limbeck.install.jsonservers import JsonServers
from limbeck.install.places import Scope, user_folder
from limbeck.install.record import Place, Record
from limbeck.install.settings import Trace
from limbeck.install.tomlservers import TomlServers
from limbeck.server.mounted import MODULE, command
from schema.errors import LimbeckError

NAME = "limbeck"
_STOOD_THERE = "Another server named limbeck stood there, in {path}; `limbeck uninstall` brings it back."


def server(home: Path, url: str | None = None) -> dict[str, Any]:
    """Return the entry an agent's list gets: what to start for the tools of a home, or of ``url``."""
    program, *arguments = command(home.absolute(), url)
    return {"command": program, "args": arguments}


def mount_file(entry: Registration, mount: Mount, scope: Scope) -> tuple[Path, tuple[str, ...]]:
    """Return the file that lists an agent's MCP servers for this scope, and the keys that lead to the list."""
    if scope.project is not None and not scope.project.is_dir():
        raise AgentPlaceMissing(path=scope.project)
    folder = user_folder(entry, scope)
    if mount.beside and not scope.environment.get(entry.folder_variable, ""):
        folder = scope.home
    if scope.project is None:
        return folder / mount.user_file, mount.keys
    if mount.project_file:
        return scope.project / mount.project_file, mount.keys
    return folder / mount.user_file, ("projects", str(scope.project.absolute()), *mount.keys)


def mounted(entry: Registration, scope: Scope) -> Any:
    """Return our entry as it stands in an agent's list, None where there is none or the list cannot be read."""
    if entry.mount is None:
        return None
    path, keys = mount_file(entry, entry.mount, scope)
    try:
        return _editor(entry, path, files.read(path) or "", keys).found()
    except LimbeckError:
        return None


def planned(entry: Registration, scope: Scope, known: Record, server: dict[str, Any]) -> Edit | None:
    """Return the edit that puts ``server`` under our name; None where it is so, or the agent lists no servers.

    What a person added to an entry of ours stays in it. Raises what says why the file cannot be edited.
    """
    if entry.mount is None:
        return None
    path, keys = mount_file(entry, entry.mount, scope)
    path, owner = path.absolute(), _owner(entry, keys)
    place = known.place(owner, path)
    before = files.read(path)
    editor = _editor(entry, path, before or "", keys)
    present = editor.found()
    ours = present is not None and (place is not None or _started_by_us(present))
    if isinstance(present, dict) and present | server == present:
        return None
    if ours:
        server = {**present, **server} if isinstance(present, dict) else server
        editor.remove(place.trace if place else Trace())
    trace = editor.add(server)
    created = place.created if place and present is not None else before is None
    notes = (_STOOD_THERE.format(path=path),) if trace.replaced else ()
    return Edit(
        Place(owner, str(path), created, place.folders if place else (), trace), before, editor.text, notes
    )


def mount(entry: Registration, scope: Scope, home: Path, server: dict[str, Any]) -> Result | None:
    """Put ``server`` under our name; None where the agent lists no servers we know of. Twice is once."""
    if entry.mount is None:
        return None
    with record.locked(home):
        known = record.load(home)
        edit = planned(entry, scope, known, server)
        if edit is None:
            return Result(mount_file(entry, entry.mount, scope)[0].absolute(), False)
        edits.write(home, known, edit, files.NEW_FOLDER if scope.project is None else files.SHARED_FOLDER)
    return Result(edit.path, True, edit.notes)


def planned_out(entry: Registration, scope: Scope, known: Record) -> Edit | None:
    """Return the edit that takes our entry out, and brings back what stood in its place; None where there is none.

    A file that held nothing else before goes.
    """
    if entry.mount is None:
        return None
    path, keys = mount_file(entry, entry.mount, scope)
    path, owner = path.absolute(), _owner(entry, keys)
    place = known.place(owner, path)
    before = after = files.read(path)
    if before is not None and before.strip():
        editor = _editor(entry, path, before, keys)
        present = editor.found()
        if present is not None and (place is not None or _started_by_us(present)):
            editor.remove(place.trace if place else Trace())
            emptied = not editor.text.strip() and (place is None or place.created)
            after = None if emptied else editor.text
    if place is None and before == after:
        return None
    return Edit(place or Place(owner, str(path)), before, after)


def unmount(entry: Registration, scope: Scope, home: Path) -> Result | None:
    """Take our entry out; a file that held nothing else before is removed. None where there was none."""
    with record.locked(home):
        known = record.load(home)
        edit = planned_out(entry, scope, known)
        if edit is not None:
            edits.take_out(home, known, edit)
    return Result(edit.path, True) if edit is not None and edit.changed else None


def _started_by_us(entry: object) -> bool:
    """Whether an entry starts our server, from whatever interpreter and home."""
    words = entry.get("args") if isinstance(entry, dict) else None
    return isinstance(words, list) and any(MODULE in word for word in words if isinstance(word, str))


def _owner(entry: Registration, keys: tuple[str, ...]) -> str:
    """Whose a place is in the record: one file may hold the hooks and the mounts of several projects."""
    return " ".join([entry.agent, "tools", *keys[1:2]])


def _editor(entry: Registration, path: Path, text: str, keys: tuple[str, ...]) -> JsonServers | TomlServers:
    if path.suffix == ".toml":
        return TomlServers(str(path), text, keys[-1], NAME)
    return JsonServers(str(path), text, keys, NAME, entry.comments)
