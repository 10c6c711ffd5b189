"""Which agents there are, and which files each of them reads hooks from."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import hooks
from hooks.registration import Registration
from limbeck.install.errors import AgentPlaceMissing, SettingsLeadOut, UnknownAgent


@dataclass(frozen=True, slots=True)
class Scope:
    """Whom an installation is for: a user (``project`` None) or one project; ``home`` is the user's own
    folder."""

    home: Path
    environment: Mapping[str, str]
    project: Path | None = None


@cache
def registrations() -> dict[str, Registration]:
    """Return the agents that keep hooks in a settings file, by name."""
    found = {}
    for module in pkgutil.iter_modules(hooks.__path__):
        name = f"hooks.{module.name}.registration"
        if module.ispkg and find_spec(name) is not None:
            registration = getattr(import_module(name), "REGISTRATION", None)
            if isinstance(registration, Registration):
                found[registration.agent] = registration
    return found


def registration(agent: str) -> Registration:
    """Return one agent's registration, or raise ``UnknownAgent``."""
    known = registrations()
    if agent not in known:
        raise UnknownAgent(name=agent, known=", ".join(sorted([*known, "git"])))
    return known[agent]


def user_folder(entry: Registration, scope: Scope) -> Path:
    """Return the folder the agent keeps a user's settings in."""
    moved = scope.environment.get(entry.folder_variable, "") if entry.folder_variable else ""
    return Path(moved) if moved else scope.home / entry.folder


def settings_file(entry: Registration, scope: Scope) -> Path:
    """Return the file an installation edits; raises ``AgentPlaceMissing`` where the project is no folder."""
    if scope.project is None:
        return user_folder(entry, scope) / entry.user_file
    if not scope.project.is_dir():
        raise AgentPlaceMissing(path=scope.project)
    return scope.project / entry.project_file


def require_inside(scope: Scope, path: Path) -> None:
    """Raise SettingsLeadOut where a link leads a project's own ``path`` out of the project.

    What is a user's may lie anywhere, for instance in a folder under version control.
    """
    if scope.project is None or not path.absolute().is_relative_to(scope.project.absolute()):
        return
    target = path.resolve()
    if not target.is_relative_to(scope.project.resolve()):
        raise SettingsLeadOut(path=path, target=target)


def scope_files(entry: Registration, scope: Scope) -> list[Path]:
    """Return the files in which hooks of this scope may stand, the one that an installation edits first."""
    first = settings_file(entry, scope)
    found = [first]
    if entry.toml_file:
        found.append(first.with_name(entry.toml_file))
    if scope.project is not None:
        found += [scope.project / name for name in entry.also_read]
    return found


def hook_files(entry: Registration, scope: Scope) -> list[Path]:
    """Return every file the agent reads hooks from: the user's, then those of the scope's project."""
    user = scope_files(entry, replace(scope, project=None))
    return user if scope.project is None else [*user, *scope_files(entry, scope)]
