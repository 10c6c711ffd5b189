"""From when on a change of the settings holds: what a person is told, whoever changed them and wherever."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from limbeck.configure.meanings import MEANINGS
from limbeck.services.state import Phase, State
from limbeck.settings import PREFIX, Settings, known_settings, load

STOPPED = "Nothing runs here: it holds from the next `limbeck up` or `limbeck ship` on."
LATER = "It holds from `limbeck down` and `limbeck up` on."
WAITS = "It waits with {names}, changed before, for `limbeck down` and `limbeck up`."
TAKEN = "What runs takes it within seconds: {parts}."
HELD = "What runs has it already."
WON = "{variable} was given to `limbeck up` and wins in what runs: it holds once that is started without the variable."


@dataclass(frozen=True, slots=True)
class Holding:
    """A sentence or two, the parts that take the change within seconds, and what was changed before and waits.

    ``later`` says that this change or an earlier one waits for the next start.
    """

    says: str
    parts: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    later: bool = False


def held(settings: Settings) -> dict[str, str]:
    """Marks of the values that only a start takes: what runs tells them, so that one can see whether another waits."""
    return {
        name: hashlib.sha256(repr(getattr(settings, name)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        for name in known_settings()
        if not MEANINGS[name].parts
    }


def given(settings: Settings) -> dict[str, str]:
    """The settings that a variable set, with its name."""
    return {name: source for name, source in settings.sources.items() if source.startswith(PREFIX)}


def holding(names: Iterable[str], settings: Settings, state: State | None) -> Holding:
    """Say from when on the new values of ``names`` hold, which the file of ``settings`` has now.

    ``state`` is what the supervisor said last.
    """
    if state is None or state.phase not in (Phase.STARTING, Phase.READY) or not state.alive:
        return Holding(STOPPED)
    wanted = set(names)
    won = {name: state.given[name] for name in wanted & state.given.keys()}
    open_to_change = wanted - won.keys()
    waiting = _waiting(load({"LIMBECK_HOME": str(settings.home)}), state)
    earlier = tuple(name for name in waiting if name not in open_to_change)
    says = [WON.format(variable=variable) for variable in sorted(won.values())]
    parts = tuple(sorted({part for name in open_to_change for part in MEANINGS[name].parts}))
    if not open_to_change:
        return Holding(" ".join(says), later=bool(waiting))
    if waiting:
        told = LATER if open_to_change & {*waiting} else WAITS.format(names=", ".join(earlier))
        return Holding(" ".join([*says, told]), (), earlier, later=True)
    told = TAKEN.format(parts=", ".join(parts)) if parts else HELD
    return Holding(" ".join([*says, told]), parts)


def _waiting(file: Settings, state: State) -> list[str]:
    """What the file says of things that only a start takes, where it is another than what runs began with."""
    before: Mapping[str, str] = state.held
    return [
        name
        for name, mark in held(file).items()
        if name not in state.given and before.get(name, mark) != mark
    ]
