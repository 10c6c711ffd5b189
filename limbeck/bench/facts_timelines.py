"""Timelines: what a project says about its slots over months, and what is true at the end. Seeded."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from limbeck.bench import facts_words as words
from limbeck.bench.facts_script import START

DAY = timedelta(days=1)


@dataclass(slots=True)
class Told:
    """One session: when it happened and what was said in it."""

    start: datetime
    script: list[str]


@dataclass(slots=True)
class Timeline:
    """A project's sessions in the order they arrive, and its slots' values in the order they became true."""

    name: str
    sessions: list[Told] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)
    supported: set[str] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)

    @property
    def current(self) -> dict[str, str]:
        """The last value of each functional slot."""
        return {role: values[-1] for role, values in self.values.items()}


def invented(random: Random) -> str:
    """A product name nobody knows."""
    return random.choice(words.ONSETS) + random.choice(words.MIDDLES) + random.choice(words.ENDS)


def timelines(count: int, seed: int) -> list[Timeline]:
    """Return ``count`` timelines, the same ones for the same seed."""
    return [_timeline(f"timeline-{seed}-{number}", Random(f"{seed} {number}")) for number in range(count)]  # noqa: S311


def _timeline(name: str, random: Random) -> Timeline:
    made = Timeline(name)
    roles = random.sample(words.ROLES, 3)
    at = START
    steps: list[tuple[str, str]] = []
    for role in roles:
        steps += [("first", role)]
    main = roles[0]
    for _ in range(random.randint(1, 4)):
        steps.append((random.choice(("change", "change", "change", "revert", "again", "noise")), main))
    steps += [(random.choice(("change", "again", "noise")), roles[1])]
    if random.random() < 0.4:
        steps += [("support", "")] * 2 + [("unsupport", "")]
    for kind, role in steps:
        at += DAY * random.randint(1, 9)
        script = _step(kind, role, made, random)
        if script:
            made.sessions.append(Told(at, script))
    if random.random() < 0.35 and len(made.sessions) > 3:
        late = made.sessions.pop(random.randrange(1, len(made.sessions) - 1))
        made.sessions.append(late)
    return made


def _step(kind: str, role: str, made: Timeline, random: Random) -> list[str]:
    held = made.values.get(role, [])
    if kind in {"support", "unsupport"}:
        return _platform(kind, made, random)
    if kind == "noise":
        return [f"P: {_said(random.choice(words.NOISE), role, _value(made, random), '', random)}"]
    if kind == "again":
        return [f"P: {_said(random.choice(words.AGAIN), role, held[-1], '', random)}"]
    if kind == "revert":
        if len(held) < 2 or held[-2] == held[-1]:
            kind = "change"
        else:
            value, old = held[-2], held[-1]
            held.append(value)
            return [f"P: {_said(random.choice(words.REVERT), role, value, old, random)}"]
    value = _value(made, random)
    if kind == "first":
        made.values[role] = [value]
        script = [f"P: {_said(random.choice(words.FIRST), role, value, '', random)}"]
    else:
        old = held[-1]
        held.append(value)
        script = _change(role, value, old, random)
    if random.random() < 0.3:
        script.insert(random.randrange(len(script) + 1), f"P: {random.choice(words.CHATTER)}")
    return script


def _change(role: str, value: str, old: str, random: Random) -> list[str]:
    """A change as people bring it about: told, committed, or asked for and reported."""
    way = random.random()
    if way < 0.7:
        return [f"P: {_said(random.choice(words.CHANGE), role, value, old, random)}"]
    if way < 0.85:
        message = f"Switch the {role} from {old} to {value}"
        return [
            "P: Go on with what we discussed.",
            f"O: Edit | deploy/{value}.yaml | ok",
            f"C: {message} | deploy/{value}.yaml",
        ]
    return [
        f"P: {_said(random.choice(words.REQUEST), role, value, old, random)}",
        "O: Edit | deploy/settings.yaml | ok",
        f"R: {_said(random.choice(words.REPORT), role, value, old, random)}",
    ]


def _platform(kind: str, made: Timeline, random: Random) -> list[str]:
    if kind == "unsupport":
        if not made.supported:
            return []
        value = random.choice(sorted(made.supported))
        made.supported.discard(value)
        made.dropped.add(value)
        return [f"P: {random.choice(words.UNSUPPORT).format(v=value)}"]
    value = random.choice([p for p in words.PLATFORMS if p not in made.supported | made.dropped])
    made.supported.add(value)
    return [f"P: {random.choice(words.SUPPORT).format(v=value)}"]


def _value(made: Timeline, random: Random) -> str:
    taken = {value for values in made.values.values() for value in values}
    while True:
        value = random.choice(words.KNOWN) if random.random() < 0.4 else invented(random)
        if value not in taken:
            return value


def _said(form: str, role: str, value: str, old: str, random: Random) -> str:
    capital = role[:1].upper() + role[1:]
    why = random.choice(words.REASONS)
    return form.format(v=value, x=value, o=old, r=role, R=capital, why=why)
