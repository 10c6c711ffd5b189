"""Where each concept lies in the bundle, and how one page links to another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from posixpath import dirname, relpath

from projection.okf.prose import day, line, slug
from projection.okf.state import MOST_FACTS, MOST_USE_CASES, EventNote, SessionNote, State
from schema.backlog import UseCase
from schema.records import Fact
from schema.speech import shortened

# A kind with more facts than this has one folder a first letter, so that an index stays readable.
CROWDED = 300
MOST_TITLE = 160  # characters
RECENT = "events/recent.md"
LOOSE = "use_cases/items.md"


@dataclass(frozen=True, slots=True)
class Places:
    """The path of every concept, by the id of what it shows."""

    facts: Mapping[str, str]
    sessions: Mapping[str, str]
    use_cases: Mapping[str, str]


def shown(state: State) -> list[Fact]:
    """The current facts that get a page: pinned, proven and recent ones first where there are too many."""
    ranked = sorted(
        state.facts, key=lambda f: (not f.pinned, -f.standing.rank, -f.valid_from.timestamp(), f.id)
    )
    return sorted(ranked[:MOST_FACTS], key=fact_order)


def fact_order(fact: Fact) -> tuple[str, ...]:
    """Facts in the order of their slots."""
    slot = fact.slot
    return (fact.kind.value, slot.subject, slot.attribute, slot.scope, fact.value, fact.id)


def places(state: State, facts: Iterable[Fact]) -> Places:
    """Give every concept its path."""
    of_kind: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        of_kind[fact.kind.value].append(fact)
    found = {}
    for kind, held in of_kind.items():
        for fact in held:
            folder = f"facts/{kind}"
            if len(held) > CROWDED:
                folder += f"/{slug(fact.slot.subject)[0]}"
            found[fact.id] = f"{folder}/{slug(_slot(fact))}-{_short(fact.id)}.md"
    return Places(
        found,
        {note.id: _session(note) for note in state.sessions},
        {case.item.number: _use_case(case) for case in cases(state)},
    )


def cases(state: State) -> list[UseCase]:
    """The use cases that get a page: the latest changed where there are too many, in the backlog's order."""
    every = state.backlog.use_cases
    latest = sorted(every, key=lambda case: (-_changed(case).timestamp(), case.item.number))[:MOST_USE_CASES]
    kept = {case.item.number for case in latest}
    return [case for case in every if case.item.number in kept]


def _changed(case: UseCase) -> datetime:
    return max(one.updated_at for one in (case.item, *case.children))


def link(page: str, target: str) -> str:
    """The address of ``target`` as ``page`` writes it."""
    return relpath(target, dirname(page) or ".")


def fact_title(fact: Fact) -> str:
    """What a fact says, shortened: the words of its slot alone would read as the opposite where it says never."""
    return shortened(fact.statement, MOST_TITLE).removesuffix(".") or fact.slot.subject


def fact_entry(fact: Fact, address: str) -> str:
    """A fact as one line of a list: what it says, how it is known and since when."""
    return (
        f"* [{line(fact_title(fact))}]({address}) - from {fact.standing.value}, since {day(fact.valid_from)}"
    )


def event_line(note: EventNote) -> str:
    """An event as one bullet's text."""
    said = line(note.text)
    title = f"**{note.kind.replace('_', ' ').capitalize()}** {line(note.title, 160)}"
    told = title if not said or said == line(note.title, 160) else f"{title} - {said}"
    return told if note.valid_to is None else f"{told} (holds no longer since {day(note.valid_to)})"


def _slot(fact: Fact) -> str:
    slot = fact.slot
    return " ".join(part for part in (slot.subject, slot.attribute, slot.scope, fact.value[:24]) if part)


def _session(note: SessionNote) -> str:
    return f"sessions/{day(note.at)}-{slug(note.title, 40)}-{_short(note.id)}.md"


def _use_case(case: UseCase) -> str:
    return f"use_cases/{case.item.number}-{slug(case.item.title, 40)}.md"


def _short(identifier: str) -> str:
    """The end of an id: the beginning of a UUIDv7 is its time."""
    return identifier.replace("-", "")[-10:]
