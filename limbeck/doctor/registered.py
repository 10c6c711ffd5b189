"""What is registered: is it whole, does it point at what exists, is it switched on, and is it there only
once?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

from hooks.bundle import BUNDLE
from limbeck.doctor.finding import Finding, broken, ok, warning
from limbeck.doctor.roundtrip import Call
from limbeck.doctor.sightings import Sighting, Sightings
from limbeck.install.command import Command

CHECK = "registration"
POINTS = "interpreter"


def found_at_all(sightings: Sightings) -> list[Finding]:
    """Where our hooks are; a finding of its own where they are nowhere."""
    findings = [broken(CHECK, trouble, "Correct the file as it says.") for trouble in sightings.troubles]
    if not sightings.places:
        nowhere = "No agent and no repository here has Limbeck's hooks."
        return [
            *findings,
            broken(CHECK, nowhere, "Run: limbeck install claude (or codex, gemini, cursor, git)"),
        ]
    return findings


def complete(places: Iterable[Sighting]) -> list[Finding]:
    """Events that a present version asks for and that a place lacks."""
    findings = []
    for place in places:
        if place.missing:
            what = f"{place.path} does not run us on {', '.join(place.missing)}."
            findings.append(broken(CHECK, what, f"Run: limbeck install {_again(place)}"))
        else:
            where = f"the plugin {place.plugin}" if place.plugin else str(place.path)
            findings.append(ok(CHECK, f"{place.agent}: {len(place.hooks)} hooks in {where}"))
    return findings


def pointing_at(
    places: Iterable[Sighting],
    home: Path,
    trouble: Callable[[Path], str],
    usable: Callable[[Path], bool],
    bundle_fits: Callable[[Path, Path], bool | None],
) -> list[Finding]:
    """Commands whose interpreter or stub will not do.

    ``trouble`` judges an interpreter's file and ``usable`` runs it; ``bundle_fits`` says whether a bundle was
    made for it (None: there need be none).
    """
    findings = []
    for place in places:
        again = f"Run: limbeck install {_again(place)}"
        for command in place.commands:
            python, stub = Path(command.interpreter), Path(command.stub)
            why = trouble(python) or ("" if usable(python) else "not a Python 3.11 or newer")
            if why:
                findings.append(broken(POINTS, f"{python}, which {place.path} runs, is {why}.", again))
            if not stub.is_file():
                findings.append(broken(POINTS, f"{stub}, which {place.path} runs, is not there.", again))
                continue
            if not why and bundle_fits(python, stub.with_name(BUNDLE)) is False:
                what = f"The hooks in {place.path} run without their bundle: correct, but slower."
                findings.append(warning(POINTS, what, again))
            if stub.parent.parent != home:
                what = f"{place.path} runs the hooks of another home, {stub.parent.parent}."
                do = f"Set LIMBECK_HOME to that folder, or {again[0].lower()}{again[1:]}"
                findings.append(warning(POINTS, what, do))
    return findings


def up_to_date(places: Iterable[Sighting], built: str, present: str) -> list[Finding]:
    """Whether the commands point at the ``present`` version's code; ``built`` is the one the home holds."""
    if built == present or not list(places):
        return []
    what = f"The hooks run version {built or 'unknown'} of our code, and this is {present}."
    return [
        warning("version", what, "Run: limbeck up (or install again); what is registered stays the same.")
    ]


def doubled(places: Iterable[Sighting]) -> list[Finding]:
    """Hooks that would tell one event twice: the same agent by two ways, or Cursor reading Claude Code's
    file."""
    ways: dict[str, list[Sighting]] = defaultdict(list)
    for place in places:
        if place.agent != "git":
            ways[place.agent].append(place)
    findings = []
    for agent, same in ways.items():
        if len({_name(place) for place in same}) > 1:
            listed = ", ".join(_name(place) for place in same)
            what = f"{agent} has our hooks {len(same)} times ({listed}): events are sent as often."
            if agent == "claude" and _merged_by_claude(same):
                what = f"claude has our hooks {len(same)} times ({listed}); it runs equal ones once."
            findings.append(warning("double registration", what, f"Keep one; take out: {_less(same)}"))
        for place in same:
            events = [hook.event for hook in place.hooks]
            twice = sorted({event for event in events if events.count(event) > 1})
            if twice:
                what = f"{place.path} has our hook more than once on {', '.join(twice)}."
                findings.append(warning("double registration", what, f"Run: limbeck install {_again(place)}"))
    if "cursor" in ways and any(not place.plugin for place in ways["claude"]):
        what = "Cursor can load Claude Code's hooks besides its own: its events may be sent twice."
        do = "Switch third-party hooks off in Cursor's settings, or run: limbeck uninstall cursor"
        findings.append(warning("double registration", what, do))
    return findings


def switched_off(files: Iterable[tuple[str, Path, dict[str, Any]]], agents: Collection[str]) -> list[Finding]:
    """Files with a switch that keeps one of ``agents`` from running hooks; ours may stand in another file."""
    findings = []
    for agent, path, values in files:
        for keys, off in _SWITCHES.get(agent, ()) if agent in agents else ():
            value: object = values
            for key in keys:
                value = value.get(key) if isinstance(value, dict) else None
            if value is off:
                name = ".".join(keys)
                what = f"{path} switches {agent}'s hooks off: {name} is {str(off).lower()}."
                findings.append(broken("switched off", what, f"Remove {name} from it."))
    return findings


_SWITCHES: dict[str, list[tuple[tuple[str, ...], bool]]] = {
    "claude": [(("disableAllHooks",), True), (("allowManagedHooksOnly",), True)],
    "gemini": [(("hooksConfig", "enabled"), False)],
    "codex": [(("features", "hooks"), False), (("features", "codex_hooks"), False)],
}


def _again(place: Sighting) -> str:
    if place.plugin:
        return "--plugin DIR (then add the plugin again)"
    if place.agent == "git":
        return f"git --project '{place.path.parent.parent}'"
    return place.agent if place.project is None else f"{place.agent} --project '{place.project}'"


def _name(place: Sighting) -> str:
    return f"the plugin {place.plugin}" if place.plugin else str(place.path)


def _merged_by_claude(same: list[Sighting]) -> bool:
    """Claude Code runs handlers that are equal in several settings files once, but a plugin's besides."""
    return not any(place.plugin for place in same) and len({tuple(place.commands) for place in same}) == 1


def _less(same: list[Sighting]) -> str:
    plugin = next((place for place in same if place.plugin), None)
    if plugin is not None:
        return f"the plugin {plugin.plugin}, with the agent's own plugin command"
    return f"limbeck uninstall {_again(same[-1])}"


def calls(places: Iterable[Sighting], folder: Path, repository: Callable[[Path], Path | None]) -> list[Call]:
    """Every different command and where to run it: an agent's in ``folder``, git's in its own repository.

    ``repository`` tells the repository of a folder of git's hooks, None where its hooks cannot be tried.
    """
    found: dict[tuple[Command, Path], Call] = {}
    for place in places:
        at = repository(place.path) if place.agent == "git" else folder
        if at is not None:
            for command in place.commands:
                found.setdefault((command, at), Call(command, _name(place), at))
    return list(found.values())
