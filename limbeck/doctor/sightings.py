"""Every place where a hook of ours is registered: settings files, enabled plugins, git's hooks folders."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hooks.git.registration import HOOKS
from hooks.registration import Registration
from limbeck.install import files, githooks
from limbeck.install.agents import document
from limbeck.install.command import Command, command_of
from limbeck.install.errors import HookEdited
from limbeck.install.places import Scope, hook_files, registrations, user_folder
from limbeck.install.record import Record
from limbeck.install.repository import live_hooks
from limbeck.install.settings import Document, Installed
from limbeck.install.tomlhooks import read as read_toml
from schema.errors import LimbeckError

PLUGIN = "limbeck@"


@dataclass(frozen=True, slots=True)
class Sighting:
    """Our hooks in one place. ``agent`` runs them; ``plugin`` is the plugin's id where they come with one.

    ``project`` is the project whose file it is, None for a user's. ``hooks`` are the handlers found (for
    git: one a script), ``missing`` what should be there and is not.
    """

    agent: str
    path: Path
    hooks: tuple[Installed, ...] = ()
    missing: tuple[str, ...] = ()
    plugin: str = ""
    project: Path | None = None

    @property
    def commands(self) -> list[Command]:
        """The different commands in it."""
        return list(dict.fromkeys(hook.command for hook in self.hooks))


@dataclass(slots=True)
class Sightings:
    """What was found. ``files`` are all the files the agents read hooks from (agent, path, values), also
    those without ours; ``troubles`` are sentences about files that could not be read."""

    places: list[Sighting] = field(default_factory=list)
    files: list[tuple[str, Path, dict[str, Any]]] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


def look(scope: Scope, known: Record) -> Sightings:
    """Look at the user's files, the scope's project and every place in the record."""
    found = Sightings()
    for entry in registrations().values():
        recorded = [Path(place.path) for place in known.places if place.agent == entry.agent]
        for path in _once([*hook_files(entry, scope), *recorded]):
            try:
                values = _values(entry, path)
                if values is not None:
                    found.files.append((entry.agent, path, values))
                    found.places += _in_file(entry, path, scope, values)
            except LimbeckError as error:
                found.troubles.append(str(error))
    for folder in _once([Path(place.path) for place in known.places if place.agent == "git"] + _live(scope)):
        try:
            found.places += _in_git(folder)
        except LimbeckError as error:
            found.troubles.append(str(error))
    return found


def _values(entry: Registration, path: Path) -> dict[str, Any] | None:
    """The values of a file; None where it is absent or empty."""
    text = files.read(path)
    if text is None or not text.strip():
        return None
    editor = document(entry, path, text)
    if isinstance(editor, Document):
        values: dict[str, Any] = editor.root().value
        return values
    return read_toml(text, str(path))


def _in_file(entry: Registration, path: Path, scope: Scope, values: dict[str, Any]) -> Iterator[Sighting]:
    hooks = tuple(document(entry, path, files.read(path) or "").installed())
    missing = tuple(event for event in entry.timeouts if event not in {hook.event for hook in hooks})
    if hooks:
        project = None if path in hook_files(entry, replace(scope, project=None)) else path.parent.parent
        yield Sighting(entry.agent, path, hooks, missing, "", project)
    for name, copy in _plugins(entry, values, user_folder(entry, scope)):
        yield from _in_plugin(entry, name, copy)


def _plugins(entry: Registration, values: dict[str, Any], folder: Path) -> Iterator[tuple[str, Path]]:
    """The enabled plugins of ours and where the agent keeps its copy of each."""
    if entry.agent == "claude":
        enabled = values.get("enabledPlugins")
        for name in _ours(enabled, lambda value: value is True):
            yield from ((name, path) for path in _claude_copies(folder, name))
    elif entry.agent == "codex":
        switched_on = {True, None}
        for name in _ours(values.get("plugins"), lambda value: _table(value).get("enabled") in switched_on):
            cache = folder / "plugins" / "cache" / name.removeprefix(PLUGIN) / "limbeck"
            yield from ((name, path) for path in sorted(cache.glob("*"))[-1:])


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _ours(listed: object, enabled: Any) -> list[str]:
    if not isinstance(listed, dict):
        return []
    return [name for name, value in listed.items() if name.startswith(PLUGIN) and enabled(value)]


def _claude_copies(folder: Path, name: str) -> list[Path]:
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        listed = json.loads((folder / "plugins" / "installed_plugins.json").read_text("utf-8"))
        return [Path(item["installPath"]) for item in listed["plugins"].get(name, [])]
    return []


def _in_plugin(entry: Registration, name: str, copy: Path) -> Iterator[Sighting]:
    path = copy / "hooks" / "hooks.json"
    text = files.read(path)
    if text is None:
        return
    hooks = tuple(Document(str(path), text, entry).installed())
    hooks = tuple(hook for hook in hooks if hook.event in entry.timeouts)
    yield Sighting(entry.agent, path, hooks, (), name)


def _live(scope: Scope) -> list[Path]:
    if scope.project is None:
        return []
    try:
        return [live_hooks(scope.project).folder]
    except LimbeckError:
        return []


def _in_git(folder: Path) -> Iterator[Sighting]:
    found, missing = [], []
    for hook in HOOKS:
        try:
            path = githooks.standing(folder, hook)
        except HookEdited as error:
            path = Path(str(error.fields["path"]))
        if path is None or not githooks.runs_from(folder, hook, path):
            missing.append(hook)
        if path is not None:
            command = _in_script(path)
            if command is not None:
                found.append(Installed(hook, 0, 0, command, {}))
    if found:
        yield Sighting("git", folder, tuple(found), tuple(missing))


def _in_script(path: Path) -> Command | None:
    for line in (files.read(path) or "").splitlines():
        if " -I -S " in line:
            with suppress(ValueError):
                words = shlex.split(line)
                start = words.index("-I") - 1
                return command_of(words[start : start + 5])
    return None


def _once(paths: Iterable[Path]) -> list[Path]:
    return list(dict.fromkeys(paths))
