"""Team sessions as they read: scenes about one slot each, drawn from data, told among one another. Seeded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

import yaml

from limbeck.bench.facts_script import DATA, START
from limbeck.bench.facts_timelines import DAY, Told

# What is asked for -> the files its scenes stand in; the first one holds the pools.
SETS = {"chat": ("chat", "chat_traps"), "handover": ("handover",), "workshop": ("workshop",)}
SCENES = 3


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, the words its answer must have (any of them), and the words of what held before."""

    question: str
    now: tuple[str, ...]
    was: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """What a project's sessions say, in order, and what holds at the end.

    ``never`` are values that were mentioned and never held, ``gone`` statements that hold no longer, ``words`` all
    values of the story: a fact that has none of them is junk.
    """

    name: str
    kinds: tuple[str, ...]
    sessions: tuple[Told, ...]
    asks: tuple[Ask, ...]
    never: tuple[str, ...]
    gone: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(slots=True)
class _Scene:
    kind: str
    sessions: list[list[str]]
    asks: list[Ask]
    never: list[str]
    gone: list[str]
    words: list[str] = field(default_factory=list)


def stories(name: str, count: int, seed: int) -> list[Story]:
    """Return ``count`` stories of the set ``name`` (of SETS), the same ones for the same seed; every scene comes in."""
    loaded = [yaml.safe_load((DATA / f"{file}.yaml").read_text("utf-8")) for file in SETS[name]]
    scenes = [scene for part in loaded for scene in part["scenes"]]
    dealt = list[dict[str, Any]]()
    made = []
    for number in range(count):
        random = Random(f"{name} {seed} {number}")  # noqa: S311 - a measurement's dice
        if len(dealt) < len(scenes):
            dealt += random.sample(scenes, len(scenes))
        made.append(_story(f"{name}-{seed}-{number}", _hand(dealt), loaded[0], random))
    return made


def _hand(dealt: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Take the next scenes that are about different slots."""
    hand = list[dict[str, Any]]()
    for scene in list(dealt):
        if len(hand) < SCENES and scene["slot"] not in {other["slot"] for other in hand}:
            hand.append(scene)
            dealt.remove(scene)
    return hand


def _story(name: str, hand: Sequence[dict[str, Any]], data: dict[str, Any], random: Random) -> Story:
    used = set[str]()
    scenes = [_scene(scene, data["pools"], used, random) for scene in hand]
    waiting = [[(scene, told) for told in scene.sessions] for scene in scenes]
    at, sessions = START, list[Told]()
    while any(waiting):
        _, told = random.choice([queue for queue in waiting if queue]).pop(0)
        at += DAY * random.randint(1, 6) + timedelta(hours=random.randint(0, 9))
        sessions.append(Told(at, _padded(told, data, random)))
    return Story(
        name,
        tuple(scene.kind for scene in scenes),
        tuple(sessions),
        tuple(ask for scene in scenes for ask in scene.asks),
        tuple(value for scene in scenes for value in scene.never),
        tuple(value for scene in scenes for value in scene.gone),
        tuple(word for scene in scenes for word in scene.words),
    )


def _scene(scene: dict[str, Any], pools: dict[str, list[str]], used: set[str], random: Random) -> _Scene:
    values = dict[str, str]()
    for key, pool in scene["with"].items():
        values[key] = random.choice([value for value in pools[pool] if value not in used])
        used.add(values[key])

    def filled(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(text.format(**values) for text in texts)

    asks = [
        Ask(random.choice(ask["ask"]).format(**values), filled(ask["now"]), filled(ask["was"]))
        for ask in scene["asks"]
    ]
    sessions = [
        list(filled(line if isinstance(line, str) else random.choice(line) for line in told))
        for told in scene["told"]
    ]
    words = [*values.values(), *(word for ask in asks for word in ask.now), *scene.get("also", ())]
    gone, never = filled(scene.get("gone", ())), filled(scene.get("never", ()))
    return _Scene(scene["kind"], sessions, asks, list(never), list(gone), [*words, *gone])


def _padded(told: list[str], data: dict[str, Any], random: Random) -> list[str]:
    """Put what else happens in a session before and after: chatter with its answer, a look, a commit."""
    before, after = _filler(data, random), _filler(data, random)
    after += [random.choice(data["commits"])] if random.random() < 0.4 else []
    return [*before, *told, *after]


def _filler(data: dict[str, Any], random: Random) -> list[str]:
    if random.random() >= 0.6:
        return []
    tool = [random.choice(data["tools"])] if random.random() < 0.6 else []
    reply = [random.choice(data["replies"])] if random.random() < 0.7 else []
    return [random.choice(data["chatter"]), *tool, *reply]
