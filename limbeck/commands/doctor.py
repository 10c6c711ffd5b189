"""``limbeck doctor``: does every installed hook reach the database, and what else could go wrong?"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from capture import config as hook_config
from capture.config import HookConfig
from capture.observation import HOOK_VERSION
from limbeck.commands.options import AsJson
from limbeck.commands.scope import scope_of
from limbeck.context import print_json
from limbeck.doctor import delivery, memories, registered, server, tools, trust
from limbeck.doctor.finding import Finding, Level
from limbeck.doctor.roundtrip import Call, Ledger, followed
from limbeck.doctor.sightings import Sightings, look
from limbeck.install import files, interpreter, record
from limbeck.install.places import Scope, registration, registrations, user_folder
from limbeck.install.repository import live_hooks, repository_of
from limbeck.install.tomlhooks import read as read_toml
from limbeck.services.addresses import addresses
from limbeck.services.home import Home
from limbeck.settings import Settings, load
from limbeck.ship.files import backlog
from limbeck.steps import steps
from limbeck.visible import visible
from schema.errors import LimbeckError

MANAGED = (
    Path("/etc/claude-code/managed-settings.json"),
    Path("/Library/Application Support/ClaudeCode/managed-settings.json"),
)
MARKS = {Level.OK: "[green]ok[/]", Level.WARNING: "[yellow]warning[/]", Level.BROKEN: "[red]broken[/]"}


def doctor(
    project: Annotated[
        Path | None,
        typer.Option("--project", metavar="DIR", help="The project to look at (default: this one)."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Run every installed hook with a sample, follow it to the database, and say what is wrong and what to
    do.

    Exit code 1 where something is broken.
    """
    settings = load()
    scope = scope_of(project or _project())
    with steps("following every hook to the database"):
        findings = examine(settings, scope)
    sick = any(finding.level is Level.BROKEN for finding in findings)
    if as_json:
        print_json({"broken": sick, "findings": [asdict(finding) for finding in findings]})
    else:
        _show(findings)
    return int(sick)


def examine(settings: Settings, scope: Scope) -> list[Finding]:
    """Run every check."""
    home = settings.home.absolute()
    known = record.load(home)
    sightings = look(scope, known)
    places = sightings.places
    findings = registered.found_at_all(sightings)
    findings += registered.complete(places)
    findings += registered.pointing_at(
        places, home, interpreter.trouble, interpreter.usable, interpreter.bundle_fits
    )
    findings += registered.up_to_date(places, known.version, HOOK_VERSION)
    findings += registered.doubled(places)
    findings += registered.switched_off(sightings.files + _managed(), {place.agent for place in places})
    findings += tools.mounted(
        dict.fromkeys(place.agent for place in places if place.agent in registrations()), scope, home
    )
    findings += _codex(sightings, scope)
    findings += _memories(scope)
    findings += _delivery(settings)
    findings += server.reached(home, Home.at(home).run, settings.server == "on")
    config = hook_config.read(str(settings.home))
    left_out = delivery.policy_leaves_out(config, scope.project)
    folder = scope.project if scope.project and not left_out else settings.home
    calls = registered.calls(sightings.places, folder, lambda hooks: _git_folder(hooks, scope, config))
    findings += left_out + delivery.unread_patterns(scope.project)
    return findings + _roundtrip(settings, calls)


def _git_folder(hooks: Path, scope: Scope, config: HookConfig) -> Path | None:
    """The repository to run git's hooks of a folder in; None where there is none, or nothing is captured there."""
    with suppress(LimbeckError):
        if scope.project is not None and live_hooks(scope.project).folder == hooks:
            return None if delivery.policy_leaves_out(config, scope.project) else scope.project
    found = repository_of(hooks)
    return None if delivery.policy_leaves_out(config, found) else found


def _project() -> Path | None:
    try:
        return live_hooks(Path.cwd()).top
    except LimbeckError:
        return None


def _managed() -> list[tuple[str, Path, dict[str, Any]]]:
    """An administrator's settings of Claude Code, which win over a person's."""
    found = []
    for path in MANAGED:
        with suppress(OSError, ValueError):
            values = json.loads(path.read_text("utf-8"))
            found += [("claude", path, values)] if isinstance(values, dict) else []
    return found


def _codex(sightings: Sightings, scope: Scope) -> list[Finding]:
    path = user_folder(registration("codex"), scope) / "config.toml"
    try:
        config = read_toml(files.read(path) or "", str(path))
    except LimbeckError:
        return []  # among the troubles already
    return trust.trusted(sightings.places, config)


def _memories(scope: Scope) -> list[Finding]:
    claude, codex, gemini = (user_folder(registration(name), scope) for name in ("claude", "codex", "gemini"))
    listed = memories.places(scope.home, claude, codex, gemini, scope.project)
    return memories.beside_ours(listed, scope.project)


def _delivery(settings: Settings) -> list[Finding]:
    home = Home.at(settings.home)
    told = (settings.home / hook_config.NAME).exists()
    config = hook_config.read(str(settings.home))
    findings = delivery.account(home.account.name if home.account else None, home.state)
    findings += delivery.queue_answers(config.queue, told)
    waiting = backlog(Path(config.spool), time.time())
    return findings + delivery.spooled(waiting, config.limits.spool_bytes)


def _roundtrip(settings: Settings, calls: list[Call]) -> list[Finding]:
    runnable = [call for call in calls if not interpreter.trouble(Path(call.command.interpreter))]
    from schema.database import Database

    database = Database(addresses(settings).database_url, pooled=False)
    try:
        ledger = Ledger(database, settings.client)
        return followed(runnable, ledger.arrival)
    finally:
        database.close()


def _show(findings: list[Finding]) -> None:
    console = Console(highlight=False)
    for finding in findings:
        console.print(f"{MARKS[finding.level]}  {finding.check}: ", end="", soft_wrap=True)
        console.print(visible(finding.what), markup=False, soft_wrap=True)
        if finding.do:
            console.print(f"    {visible(finding.do)}", markup=False, soft_wrap=True)
