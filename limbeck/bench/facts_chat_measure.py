"""Stories told through ingest and read through recall: what is right, stale, lost, taken for true, and junk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from distill.store import facts as fact_store
from limbeck.bench.facts_chat import Ask, Story, stories
from limbeck.bench.facts_world import World
from recall.answer import Hit
from schema.records import Fact

# A value of a setting is a name, a number, a path, a date: hardly more than this many words.
MOST_WORDS = 4

MOST_FAILURES = 20

Report = Callable[[str], object]


def unseen_wording(world: World, name: str, count: int, seed: int, report: Report = len) -> dict[str, Any]:
    """Tell ``count`` stories of a set; return shares in percent, and junk facts a session."""
    counted: Counter[str] = Counter()
    failures = list[str]()
    for number, story in enumerate(stories(name, count, seed), start=1):
        for told in story.sessions:
            world.tell(story.name, told.script, told.start)
        counted["sessions"] += len(story.sessions)
        failures += _held(world, story, counted)
        for ask in story.asks:
            failures += _asked(world, story, ask, counted)
        if number % 50 == 0:
            report(f"{number} of {count} stories told")
    return {
        "timelines": count,
        "sessions": counted["sessions"],
        "questions": counted["asked"],
        "unseen_current_first": _share(counted["first"], counted["asked"]),
        "unseen_current_first_any_kind": _share(counted["any first"], counted["asked"]),
        "unseen_stale_as_current": _share(counted["stale"], counted["asked"]),
        "unseen_stale_undoubted": _share(counted["sure"], counted["asked"]),
        "unseen_true_doubted": _share(counted["doubted"], counted["asked"]),
        "unseen_stale_first_any_kind": _share(counted["any stale"], counted["asked"]),
        "unseen_wrongly_retired": _share(counted["lost"], counted["asked"]),
        "unseen_never_known": _share(counted["unknown"], counted["asked"]),
        "unseen_lures_believed": _share(counted["lured"], counted["lures"]),
        "unseen_junk_a_session": round(counted["junk"] / max(counted["sessions"], 1), 3),
        "failures": failures[:MOST_FAILURES],
    }


def _held(world: World, story: Story, counted: Counter[str]) -> list[str]:
    """Judge what is believed: lures, statements that were lifted, junk."""
    known = world.facts(story.name)
    lured = [v for v in story.never if any(_has(fact.value, [v]) for fact in known)]
    lifted = [v for v in story.gone if any(_has(fact.statement, [v]) for fact in known)]
    junk = [fact for fact in known if _junk(fact, story.words)]
    counted["lures"] += len(story.never)
    counted["lured"] += len(lured)
    counted["stale"] += len(lifted)
    counted["sure"] += len(lifted)
    counted["asked"] += len(story.gone)
    counted["first"] += len(story.gone) - len(lifted)
    counted["any first"] += len(story.gone) - len(lifted)
    counted["junk"] += len(junk)
    failed = [f"{story.name} believes {v!r}: {_shown(known)}" for v in [*lured, *lifted]]
    return failed + [f"{story.name} junk: {_shown([fact])}" for fact in junk]


def _asked(world: World, story: Story, ask: Ask, counted: Counter[str]) -> list[str]:
    hits, plain = world.ask(story.name, ask.question), world.ask(story.name, ask.question, kinds=None)
    right = bool(hits) and _has(_text(hits[0]), ask.now)
    stale = [hit for hit in hits if hit.current and _old(hit, ask)]
    known = [fact for fact in world.facts(story.name) if _has(f"{fact.value} {fact.statement}", ask.now)]
    once = known or [fact for fact in _ever(world, story) if _has(fact.value, ask.now)]
    counted["asked"] += 1
    counted["first"] += right
    counted["any first"] += bool(plain) and _has(_text(plain[0]), ask.now)
    counted["any stale"] += bool(plain) and plain[0].current and _old(plain[0], ask)
    counted["stale"] += bool(stale)
    counted["sure"] += any(hit.doubt is None for hit in stale)
    counted["doubted"] += right and hits[0].doubt is not None
    counted["lost"] += not known and bool(once)
    counted["unknown"] += not once
    told = f"{story.name} {ask.question!r} wants {ask.now[0]!r}:"
    failed = [] if right else [f"{told} got {[_text(hit) for hit in hits[:2]]}"]
    failed += [f"{told} STALE {_text(hit)!r}" for hit in stale]
    failed += [] if known or not once else [f"{told} RETIRED {_shown(once)}"]
    if plain and not _has(_text(plain[0]), ask.now):
        failed.append(f"{told} any kind: {plain[0].kind} {plain[0].current} {_text(plain[0])!r}")
    return failed


def _junk(fact: Fact, words: Sequence[str]) -> bool:
    """Say whether a fact is about nothing the story told, or holds half a sentence for a value."""
    if not _has(f"{fact.value} {fact.statement}", words):
        return True
    return fact.slot.attribute != "rule" and len(fact.value.split()) > MOST_WORDS


def _ever(world: World, story: Story) -> tuple[Fact, ...]:
    with world.database.tenant(world.client) as connection:
        return fact_store.view(connection, world.client, world.project(story.name), history=True)


def _old(hit: Hit, ask: Ask) -> bool:
    return _has(_text(hit), ask.was) and not _has(_text(hit), ask.now)


def _text(hit: Hit) -> str:
    return f"{hit.title} {hit.text}"


def _has(text: str, words: Sequence[str]) -> bool:
    return any(word.lower() in text.lower() for word in words)


def _shown(facts: Sequence[Fact]) -> list[str]:
    return [f"{f.slot.subject}.{f.slot.attribute}[{f.slot.scope}] = {f.value}" for f in facts]


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
