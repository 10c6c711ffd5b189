"""``limbeck install``: our hooks into an agent's settings, a repository, a plugin folder; the shipper as a
service."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from capture import config as capture_config
from capture.observation import HOOK_VERSION
from limbeck.commands.options import AsJson
from limbeck.commands.scope import OTHERS, agents_of, scope_of
from limbeck.context import print_json
from limbeck.doctor import memories
from limbeck.doctor.finding import Level
from limbeck.install import agents, edits, files, githooks, mounts, plugin, record, service, skillfiles
from limbeck.install.agents import Result
from limbeck.install.command import Command
from limbeck.install.errors import GitHasNoUserHooks
from limbeck.install.places import Scope, registration, require_inside, settings_file
from limbeck.install.repository import would_be_committed
from limbeck.install.runtime import refresh
from limbeck.private import private_home
from limbeck.services.hookfile import hook_config
from limbeck.services.program import python_command
from limbeck.settings import Settings, load
from limbeck.steps import steps

WINDOWS = os.name == "nt"


def install(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", help="claude, codex, gemini, cursor, git; or ship."),
    ] = None,
    user: Annotated[
        bool, typer.Option("--user", help="For this user (the default, except for git).")
    ] = False,
    project: Annotated[
        Path | None,
        typer.Option("--project", metavar="DIR", help="For one project (git: the current folder)."),
    ] = None,
    plugin_folder: Annotated[
        Path | None,
        typer.Option("--plugin", metavar="DIR", help="Build a plugin folder for Claude Code and Codex."),
    ] = None,
    hooks_only: Annotated[
        bool, typer.Option("--hooks-only", help="Hooks alone: the agent gets no memory tools and no skills.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Register Limbeck's hooks, mount its memory tools and add its skills; every other byte stays. Twice is once.

    A skill tells the agent how to use the tools; another one of the same name stays, and ours is not installed then.
    AGENT is claude, codex, gemini, cursor or git; `ship` writes a service file for the shipper. An upgrade of Limbeck
    renews what the registered commands point at, and their text stays the same; install again to renew the skills.
    """
    wanted = agents_of(names, user, project, plugin_folder)
    settings, scope = load(), scope_of(project)
    if user and "git" in wanted:
        raise GitHasNoUserHooks
    _require_places(wanted, scope)
    private_home(settings.home)
    with steps("starting") as tell:
        tell("building the hook for this Python: some seconds")
        python, stub = refresh(settings.home)
    _hook_file(settings)
    tools = None if hooks_only else mounts.server(settings.home, settings.remote_url)
    _require_editable(wanted, scope, settings.home, Command(python, stub, ""), tools)
    results: list[tuple[str, Result]] = []
    for name in wanted:
        command = Command(python, stub, name)
        if name == "ship":
            results.append((name, _ship(settings.home)))
        elif name == "git":
            folder = project or Path.cwd()
            results += [(name, result) for result in githooks.install(folder, settings.home, command)]
        else:
            done = agents.install(registration(name), scope, settings.home, command, windows=WINDOWS)
            notes = done.notes
            if project is not None and would_be_committed(done.path):
                notes += (f"{done.path} names paths of this machine: leave it out of your commits.",)
            results.append((name, Result(done.path, done.changed, notes)))
            if tools is not None:
                results += [(f"{name} tools", result) for result in _tools(name, scope, settings, tools)]
                added = skillfiles.install(registration(name), scope, settings.home)
                results += [(f"{name} skill", result) for result in added]
    if plugin_folder is not None:
        command = Command(python, stub, plugin.AGENT)
        changed = plugin.build(plugin_folder.absolute(), command, HOOK_VERSION, tools, windows=WINDOWS)
        notes = (f"{plugin_folder.absolute() / plugin.README} says how to add it.",)
        results.append(("plugin", Result(plugin_folder.absolute(), changed, notes)))
    _tell(results, as_json)
    return 0


def _hook_file(settings: Settings) -> None:
    """Tell the hooks where the queue is, unless ``up`` already did."""
    if not (settings.home / capture_config.NAME).exists():
        from limbeck.services.addresses import addresses

        config = hook_config(settings, addresses(settings).redis_url, settings.home / "spool")
        capture_config.write(settings.home, config)


def _require_places(names: list[str], scope: Scope) -> None:
    """Raise where a project or repository is not there, before the hook is built: that takes seconds."""
    for name in names:
        if name == "git":
            githooks.check(scope.project or Path.cwd())
        elif name != "ship":
            settings_file(registration(name), scope)


def _require_editable(
    names: list[str], scope: Scope, home: Path, command: Command, tools: dict[str, Any] | None
) -> None:
    """Raise what any of ``names`` would be refused for, so that of several either all are installed or none."""
    known = record.load(home)
    for name in names:
        if name not in OTHERS:
            entry = registration(name)
            found = [agents.planned(entry, scope, known, replace(command, agent=name), windows=WINDOWS)]
            if tools is not None:
                found.append(mounts.planned(entry, scope, known, tools))
                found += skillfiles.planned(entry, scope, known).edits
            for edit in found:
                if edit is not None:
                    require_inside(scope, edit.path)
                    edits.check(edit)


def _tools(name: str, scope: Scope, settings: Settings, tools: dict[str, Any]) -> list[Result]:
    """Mount the memory's tools; another memory mounted beside ours is told."""
    done = mounts.mount(registration(name), scope, settings.home, tools)
    if done is None:
        return []
    others = [
        f"{found.what} {found.do}"
        for found in memories.beside_ours([done.path], scope.project)
        if found.level is not Level.OK
    ]
    if settings.remote_url is not None:
        others.append(f"The tools ask {settings.remote_url}: start the agent with LIMBECK_TOKEN set.")
    return [Result(done.path, done.changed, (*done.notes, *others))]


def _ship(home: Path) -> Result:
    path = service.service_file(Path.home(), os.environ)
    text = service.service_text(python_command("limbeck.main", "ship"), home)
    before = files.read(path)
    if before != text:
        files.make_folder(path.parent)
        files.replace(path, before, text)
    return Result(path, before != text, (service.start_hint(path),))


def _tell(results: list[tuple[str, Result]], as_json: bool) -> None:
    if as_json:
        rows = [
            {"agent": n, "path": str(r.path), "changed": r.changed, "left": r.left, "notes": list(r.notes)}
            for n, r in results
        ]
        print_json({"installed": rows})
        return
    for name, result in results:
        done = "left alone:" if result.left else "written to" if result.changed else "already in"
        print(f"{name}: {done} {result.path}")
    for note in dict.fromkeys(note for _, result in results for note in result.notes):
        print(note)
