"""Mount our MCP server in an agent's settings, and take it out again; every other byte of the file stays.

An entry of our name that says something else is replaced: a stale one of ours, or somebody's duplicate of it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from hooks.registration import Mount, Registration
from limbeck.install import files, record
from limbeck.install.agents import Result
from limbeck.install.errors import AgentPlaceMissing, SettingsInvalid, SettingsShape
from limbeck.install.jsontext import Node, NotJson, interior, parse, with_member, without
from limbeck.install.places import Scope, user_folder
from limbeck.install.record import Place
from limbeck.install.settings import Trace
from limbeck.install.tomlhooks import read as read_toml
from limbeck.server.mounted import command
from schema.errors import LimbeckError

NAME = "limbeck"


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


def mount(entry: Registration, scope: Scope, home: Path, server: dict[str, Any]) -> Result | None:
    """Put ``server`` under our name; None where the agent lists no servers we know of. Twice is once."""
    if entry.mount is None:
        return None
    path, keys = mount_file(entry, entry.mount, scope)
    path = path.absolute()
    owner = _owner(entry, keys)
    with record.locked(home):
        known = record.load(home)
        place = known.place(owner, path)
        before = files.read(path)
        editor = _editor(entry, path, before or "", keys)
        present = editor.found()
        if present == server:
            return Result(path, False)
        if present is not None:
            editor.remove(place.trace if place else Trace())
        trace = editor.add(server)
        created = place.created if place and present is not None else before is None
        folders = tuple(files.make_folder(path.parent)) or (place.folders if place else ())
        record.save(home, known.having(Place(owner, str(path), created, folders, trace)))
        try:
            files.replace(path, before, editor.text)
        except BaseException:
            record.save(home, known)
            files.remove_empty(Path(made) for made in reversed(folders))
            raise
    return Result(path, True)


def unmount(entry: Registration, scope: Scope, home: Path) -> Result | None:
    """Take our entry out; a file that held nothing else before is removed. None where there was none."""
    if entry.mount is None:
        return None
    path, keys = mount_file(entry, entry.mount, scope)
    path = path.absolute()
    owner = _owner(entry, keys)
    result = None
    with record.locked(home):
        known = record.load(home)
        place = known.place(owner, path)
        before = files.read(path)
        if before is not None and before.strip():
            editor = _editor(entry, path, before, keys)
            if editor.found() is not None:
                editor.remove(place.trace if place else Trace())
                emptied = not editor.text.strip() and (place is None or place.created)
                files.replace(path, before, None if emptied else editor.text)
                result = Result(path, True)
                if emptied and place:
                    files.remove_empty(Path(made) for made in reversed(place.folders))
        if place is not None:
            record.save(home, known.lacking(owner, path))
    return result


def _owner(entry: Registration, keys: tuple[str, ...]) -> str:
    """Whose a place is in the record: one file may hold the hooks and the mounts of several projects."""
    return " ".join([entry.agent, "tools", *keys[1:2]])


def _editor(entry: Registration, path: Path, text: str, keys: tuple[str, ...]) -> JsonMount | TomlMount:
    if path.suffix == ".toml":
        return TomlMount(str(path), text, keys[-1])
    return JsonMount(str(path), text, keys, entry.comments)


@dataclass(slots=True)
class JsonMount:
    """A JSON text in which ``keys`` lead to the object of servers. ``path`` is only for messages."""

    path: str
    text: str
    keys: tuple[str, ...]
    comments: bool = False

    def found(self) -> Any:
        """Return our entry as it stands, None where there is none."""
        if not self.text.strip("\ufeff \t\r\n"):
            return None
        node = self._at(self.keys)
        entry = node.child(NAME) if node is not None else None
        return None if entry is None else entry.value

    def add(self, server: dict[str, Any]) -> Trace:
        """Put our entry at the end of the list; return what taking it out will need."""
        blank, held, added = self.text, {}, []
        empty = not self.text.strip("\ufeff \t\r\n")
        if empty:
            self.text = "{}\n"
        for way in self._ways():
            node = self._at(way)
            if node is None:
                above = self._at(way[:-1]) or self._root()
                self.text = with_member(self.text, above, way[-1], {})
                added.append("/".join(way))
            elif not node.children and not (empty and not way):
                held["/".join(way)] = interior(self.text, node)
        self.text = with_member(self.text, self._at(self.keys) or self._root(), NAME, server)
        return Trace(blank if empty else "", held, tuple(added))

    def remove(self, trace: Trace) -> None:
        """Take our entry out, and the containers that were made for it and hold nothing else."""
        ways = list(self._ways())
        self._drop(ways[-1], NAME, trace.held.get("/".join(ways[-1]), ""))
        for way in reversed(ways[1:]):
            node = self._at(way)
            if node is None or node.children or "/".join(way) not in trace.added:
                break
            self._drop(way[:-1], way[-1], trace.held.get("/".join(way[:-1]), ""))
        if not self._root().children and "" not in trace.held:
            self.text = trace.blank

    def _ways(self) -> Iterator[tuple[str, ...]]:
        """The way to each container from the root (the empty way) to the list."""
        for depth in range(len(self.keys) + 1):
            yield self.keys[:depth]

    def _drop(self, way: tuple[str, ...], key: str, blank: str) -> None:
        node = self._at(way)
        if node is None:
            return
        child = next(child for child in reversed(node.children) if child.key == key)
        self.text = without(self.text, node, child, blank=blank)

    def _root(self) -> Node:
        try:
            node = parse(self.text, comments=self.comments)
        except NotJson as error:
            raise SettingsInvalid(path=self.path, format="JSON", why=error) from None
        return self._object(node, "the whole file")

    def _at(self, way: tuple[str, ...]) -> Node | None:
        node = self._root()
        for place, key in enumerate(way, start=1):
            child = node.child(key)
            if child is None:
                return None
            node = self._object(child, ".".join(way[:place]))
        return node

    def _object(self, node: Node, where: str) -> Node:
        if not isinstance(node.value, dict):
            raise SettingsShape(path=self.path, where=where, found="something else", wanted="an object")
        return node


@dataclass(slots=True)
class TomlMount:
    """A TOML text whose table ``key`` lists servers; ours goes to the end. ``path`` is only for messages."""

    path: str
    text: str
    key: str

    def found(self) -> Any:
        """Return our entry as it stands, None where there is none."""
        servers = read_toml(self.text, self.path).get(self.key)
        return servers.get(NAME) if isinstance(servers, dict) else None

    def add(self, server: dict[str, Any]) -> Trace:
        """Append our table; return the text that was appended."""
        newline = "\r\n" if "\r\n" in self.text else "\n"
        lines = [""] if not self.text or self.text.endswith("\n") else ["", ""]
        lines.append(f"[{self.key}.{NAME}]")
        lines += [
            f"{key} = {tomlkit.item(value).as_string()}" for key, value in server.items() if value != {}
        ]
        appended = newline.join([*lines, ""])
        try:
            tomllib.loads(self.text + appended)
        except tomllib.TOMLDecodeError as error:
            raise SettingsShape(
                path=self.path,
                where=self.key,
                found=f"written so that nothing can follow ({error})",
                wanted=f"[{self.key}.NAME]",
            ) from None
        self.text += appended
        return Trace(appended=appended)

    def remove(self, trace: Trace) -> None:
        """Take our table out: the text that was appended, where it still stands, else the table itself."""
        if trace.appended and self.text.count(trace.appended) == 1:
            self.text = self.text.replace(trace.appended, "")
            return
        document = tomlkit.parse(self.text)
        servers = document[self.key]
        del servers[NAME]
        if not servers:
            del document[self.key]
        self.text = tomlkit.dumps(document)
