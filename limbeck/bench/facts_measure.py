"""Measures one and two: timelines and consolidation, told through ingest and read through recall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from distill import changes
from distill.values import same
from limbeck.bench import facts_words as words
from limbeck.bench.facts_chains import Chain, chains
from limbeck.bench.facts_timelines import Timeline, timelines
from limbeck.bench.facts_world import World
from recall.answer import Hit
from schema.records import Fact

Report = Callable[[str], object]


def supersession(world: World, count: int, seed: int, report: Report = len) -> dict[str, Any]:
    """Tell ``count`` timelines; return the shares of right, stale and wrongly retired values, and of
    exact undos.
    """
    asked = first = plain_first = stale = truths = lost = held = wrong_current = undone = undos = 0
    failures: list[str] = []
    for number, timeline in enumerate(timelines(count, seed), start=1):
        random = Random(f"questions {seed} {number}")  # noqa: S311 - a measurement's dice
        for told in timeline.sessions:
            world.tell(timeline.name, told.script, told.start)
        known = world.facts(timeline.name)
        missing, outdated = _compared(timeline, known)
        truths += len(timeline.current) + len(timeline.supported)
        held += len(known)
        lost += len(missing)
        wrong_current += len(outdated)
        for role, value in timeline.current.items():
            question = random.choice(words.QUESTIONS).format(r=role)
            hits = world.ask(timeline.name, question)
            asked += 1
            first += bool(hits) and _says(hits[0], value)
            plain = world.ask(timeline.name, question, kinds=None)
            plain_first += bool(plain) and _says(plain[0], value)
            old = [v for v in timeline.values[role] if v != value]
            stale += any(
                hit.current and any(_says(hit, v) for v in old) and not _says(hit, value) for hit in hits
            )
            if not hits or not _says(hits[0], value):
                failures.append(
                    f"{timeline.name}: {question!r} wants {value}, got {[h.text for h in hits[:2]]}"
                )
        undos += 1
        undone += _undo(world, timeline, random)
        if missing or outdated:
            failures.append(f"{timeline.name}: missing {missing}, outdated {outdated}")
        if number % 50 == 0:
            report(f"{number} of {count} timelines told")
    return {
        "timelines": count,
        "questions": asked,
        "current_first": _share(first, asked),
        "current_first_any_kind": _share(plain_first, asked),
        "stale_as_current": _share(stale, asked),
        "stale_believed": _share(wrong_current, held),
        "wrongly_retired": _share(lost, truths),
        "undo_exact": _share(undone, undos),
        "failures": failures[:20],
    }


def consolidation(world: World, count: int, seed: int, report: Report = len) -> dict[str, Any]:
    """Tell ``count`` facts, numbered, the newer one winning; return the shares answered right in one and
    two hops.
    """
    made = chains(count, seed)
    project = f"consolidation-{seed}"
    start = datetime(2026, 1, 5, 8, tzinfo=UTC)
    for number, script in enumerate(made.sessions):
        world.tell(project, script, start + timedelta(days=number))
        report(f"session {number + 1} of {len(made.sessions)} told")
    single = [(q, v, _first(world.ask(project, q), v)) for q, v in made.single]
    direct = [_first(world.ask(project, chain.question), chain.value) for chain in made.double]
    chained = [_chained(world, project, chain) for chain in made.double]
    return {
        "facts": made.facts,
        "subjects": len(made.single),
        "single_hop": _share(sum(ok for _, _, ok in single), len(single)),
        "two_hop_one_question": _share(sum(direct), len(direct)),
        "two_hop_two_questions": _share(sum(chained), len(chained)),
        "failures": [f"{q!r} wants {v}" for q, v, ok in single if not ok][:20],
    }


def _chained(world: World, project: str, chain: Chain) -> bool:
    hits = world.ask(project, chain.first_question)
    if not hits or not _says(hits[0], chain.between):
        return False
    return _first(world.ask(project, chain.second_question), chain.value)


def _undo(world: World, timeline: Timeline, random: Random) -> bool:
    """Retire a current fact and undo it; replace one and undo that: both times the view must come back."""
    before = world.facts(timeline.name)
    now = datetime.now(UTC)
    chosen = random.choice(before)
    with world.database.tenant(world.client) as connection:
        changes.retire(connection, world.client, chosen.id, "bench", "", now)
    retired = world.facts(timeline.name)
    with world.database.tenant(world.client) as connection:
        changes.restore(connection, world.client, chosen.id, "bench", now + timedelta(seconds=1))
    after = world.facts(timeline.name)
    role = random.choice(sorted(timeline.current))
    world.tell(timeline.name, [f"P: We switched the {role} to Quillbex."], now - timedelta(minutes=5))
    replaced = world.facts(timeline.name)
    gone = [fact for fact in before if fact.id not in {other.id for other in replaced}]
    for fact in gone:
        with world.database.tenant(world.client) as connection:
            changes.restore(connection, world.client, fact.id, "bench", now + timedelta(seconds=2))
    again = world.facts(timeline.name)
    return (
        len(retired) == len(before) - 1 and len(gone) == 1 and _view(after) == _view(before) == _view(again)
    )


def _view(facts: Sequence[Fact]) -> list[tuple[Any, ...]]:
    return sorted(
        (f.id, f.value, f.statement, f.standing, f.valid_from, f.pinned, f.reason, f.evidence, f.files)
        for f in facts
    )


def _compared(timeline: Timeline, known: Sequence[Fact]) -> tuple[list[str], list[str]]:
    true = [*timeline.current.values(), *timeline.supported]
    was = [v for values in timeline.values.values() for v in values if v not in true] + list(timeline.dropped)
    believed = [fact.value for fact in known]
    missing = [value for value in true if not any(same(value, other) for other in believed)]
    return missing, [value for value in believed if any(same(value, old) for old in was)]


def _first(hits: Sequence[Hit], value: str) -> bool:
    return bool(hits) and _says(hits[0], value)


def _says(hit: Hit, value: str) -> bool:
    return value.lower() in f"{hit.title} {hit.text}".lower()


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
