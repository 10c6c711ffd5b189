"""``limbeck uninstall``: take our hooks out again, leaving each place as it was before."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from capture.observation import HOOK_VERSION
from limbeck.commands.options import AsJson
from limbeck.commands.scope import agents_of, scope_of
from limbeck.context import print_json
from limbeck.install import agents, edits, files, githooks, mounts, plugin, record, service, skillfiles
from limbeck.install.command import Command
from limbeck.install.places import Scope, registration, registrations
from limbeck.settings import load
from limbeck.show import say


def uninstall(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", help="claude, codex, gemini, cursor, git; or ship."),
    ] = None,
    user: Annotated[bool, typer.Option("--user", help="From this user's settings (the default).")] = False,
    project: Annotated[
        Path | None,
        typer.Option("--project", metavar="DIR", help="From one project (git: the current folder)."),
    ] = None,
    plugin_folder: Annotated[
        Path | None, typer.Option("--plugin", metavar="DIR", help="Remove the plugin folder built there.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Take Limbeck's hooks, tools and skills out of an agent or a repository; what was there before comes back."""
    wanted = agents_of(names, user, project, plugin_folder)
    home, scope = load().home, scope_of(project)
    _require_editable(wanted, scope, home)
    removed: list[tuple[str, Path]] = []
    changed: list[Path] = []
    for name in wanted:
        if name == "ship":
            path = service.service_file(Path.home(), os.environ)
            before = files.read(path)
            if before is not None:
                files.replace(path, before, None)
                removed.append((name, path))
        elif name == "git":
            removed += [(name, result.path) for result in githooks.uninstall(project or Path.cwd(), home)]
        else:
            gone, edited = skillfiles.uninstall(registration(name), scope, home)
            removed += [(f"{name} skill", path) for path in gone]
            changed += edited
            tools = mounts.unmount(registration(name), scope, home)
            removed += [(f"{name} tools", tools.path)] if tools else []
            results = agents.uninstall(registration(name), scope, home)
            removed += [(name, result.path) for result in results]
    if plugin_folder is not None:
        folder = plugin_folder.absolute()
        if plugin.remove(folder, Command("", "", plugin.AGENT), HOOK_VERSION, windows=os.name == "nt"):
            removed.append(("plugin", folder))
    kept = githooks.kept(project or Path.cwd()) if "git" in wanted else []
    if as_json:
        told = [{"agent": name, "path": str(path)} for name, path in removed]
        print_json({"removed": told, "kept": [str(path) for path in (*kept, *changed)]})
        return 0
    for name, path in removed:
        print(f"{name}: removed from {path}")
    for path in kept:
        say(f"git: {path} stays: by it a new install knows the project again; delete it where none is wanted")
    for path in changed:
        say(f"{path} stays: it was changed since limbeck wrote it; delete it where it is not wanted")
    done = {name.partition(" ")[0] for name, _ in removed}
    for name in [*wanted, *(["plugin"] if plugin_folder is not None else [])]:
        if name in done:
            continue
        print(f"{name}: nothing of limbeck here")
    return 0


def _require_editable(names: list[str], scope: Scope, home: Path) -> None:
    """Raise what any of ``names`` would be refused for, so that of several either all are taken out or none."""
    known = record.load(home)
    for name in names:
        if name in registrations():
            entry = registration(name)
            found = [
                mounts.planned_out(entry, scope, known),
                *skillfiles.planned_out(entry, scope, known).edits,
            ]
            for edit in (*found, *agents.planned_out(entry, scope, known)):
                if edit is not None:
                    edits.check(edit)
