"""The rules of change, by example and by property."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from distill.resolve import Resolution, resolve
from distill.timeline import Verb
from schema.records import Cardinality, Evidence, Fact, FactKind, Proposal, Slot, Standing

T0 = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
DATABASE = Slot("database", "choice")
SUPPORTS = Slot("project", "supports")


def day(number: int) -> datetime:
    return T0 + timedelta(days=number)


def said(
    value: str,
    number: int,
    standing: Standing = Standing.PERSON,
    *,
    slot: Slot = DATABASE,
    many: bool = False,
    negated: bool = False,
) -> Proposal:
    return Proposal(
        slot=slot,
        cardinality=Cardinality.MANY if many else Cardinality.ONE,
        kind=FactKind.STACK,
        value=value,
        statement=f"It is {value}.",
        standing=standing,
        valid_from=day(number),
        evidence=(Evidence("exchange", f"{value}-{number}-{standing}-{negated}", day(number), "s"),),
        negated=negated,
    )


def applied(facts: tuple[Fact, ...], outcome: Resolution) -> tuple[Fact, ...]:
    kept = tuple(fact for fact in facts if fact.version not in outcome.closes)
    return kept + outcome.appends


def run(*proposals: Proposal, facts: tuple[Fact, ...] = ()) -> tuple[tuple[Fact, ...], list[Verb]]:
    verbs = []
    for step, proposal in enumerate(proposals):
        outcome = resolve(facts, [proposal], NOW + timedelta(seconds=step))
        facts = applied(facts, outcome)
        verbs.append(outcome.actions[0].verb)
    return facts, verbs


def story(facts: tuple[Fact, ...]) -> list[tuple[str, datetime, datetime | None]]:
    return sorted((f.value, f.valid_from, f.valid_to) for f in facts if f.valid_to != f.valid_from)


def current(facts: tuple[Fact, ...]) -> list[str]:
    return sorted(f.value for f in facts if f.current)


def test_newer_word_of_equal_standing_supersedes_and_names_its_successor() -> None:
    facts, verbs = run(said("SQLite", 1), said("Postgres", 5))
    assert verbs == [Verb.ADD, Verb.SUPERSEDE]
    old = next(f for f in facts if f.value == "SQLite")
    new = next(f for f in facts if f.value == "Postgres")
    assert (old.valid_to, old.superseded_by) == (day(5), new.id)
    assert "Postgres" in old.reason
    assert new.current


def test_same_value_in_other_words_confirms() -> None:
    facts, verbs = run(said("Postgres", 1), said("PostgreSQL", 4), said("the postgres", 6))
    assert verbs == [Verb.ADD, Verb.CONFIRM, Verb.CONFIRM]
    assert current(facts) == ["Postgres"]
    assert len(facts[0].evidence) == 3


def test_weaker_source_flags_and_changes_nothing() -> None:
    facts, verbs = run(said("Python", 1, Standing.CODE), said("Rust", 5, Standing.PERSON))
    assert verbs == [Verb.ADD, Verb.FLAG]
    assert story(facts) == [("Python", day(1), None)]


def test_code_proof_supersedes_a_persons_word() -> None:
    facts, verbs = run(said("Python", 1), said("Rust", 5, Standing.CODE))
    assert verbs[-1] is Verb.SUPERSEDE
    assert current(facts) == ["Rust"]


def test_late_evidence_is_filed_before_what_it_precedes() -> None:
    facts, verbs = run(said("Postgres", 9), said("SQLite", 2))
    assert verbs == [Verb.ADD, Verb.HISTORY]
    assert story(facts) == [("Postgres", day(9), None), ("SQLite", day(2), day(9))]


def test_late_evidence_between_two_words_for_the_current_value_splits_its_past() -> None:
    facts, verbs = run(said("Postgres", 1), said("Postgres", 9), said("SQLite", 4))
    assert verbs == [Verb.ADD, Verb.CONFIRM, Verb.HISTORY]
    assert story(facts) == [
        ("Postgres", day(1), day(4)),
        ("Postgres", day(9), None),
        ("SQLite", day(4), day(9)),
    ]


def test_a_revert_is_a_supersession_like_any_other() -> None:
    facts, verbs = run(said("Postgres", 1), said("MySQL", 3), said("Postgres", 5))
    assert verbs == [Verb.ADD, Verb.SUPERSEDE, Verb.SUPERSEDE]
    assert current(facts) == ["Postgres"]


def test_pinned_facts_are_only_flagged() -> None:
    facts, _ = run(said("Postgres", 1))
    pinned = (replace(facts[0], pinned=True),)
    outcome = resolve(pinned, [said("MySQL", 5, Standing.CODE), said("Postgres", 6, negated=True)], NOW)
    assert [a.verb for a in outcome.actions] == [Verb.FLAG, Verb.FLAG]
    assert (outcome.closes, outcome.appends) == ((), ())


def test_additive_values_stand_side_by_side_and_end_one_by_one() -> None:
    facts, verbs = run(
        said("Linux", 1, slot=SUPPORTS, many=True),
        said("macOS", 2, slot=SUPPORTS, many=True),
        said("Linux", 5, slot=SUPPORTS, many=True, negated=True),
    )
    assert verbs == [Verb.ADD, Verb.ADD, Verb.CLOSE]
    assert current(facts) == ["macOS"]


def test_a_negation_older_than_the_last_word_is_ignored() -> None:
    facts, verbs = run(said("Redis", 1), said("Redis", 9), said("Redis", 4, negated=True))
    assert verbs[-1] is Verb.IGNORE
    assert current(facts) == ["Redis"]


def test_two_values_at_one_moment_are_flagged() -> None:
    _facts, verbs = run(said("A", 1), said("B", 1))
    assert verbs == [Verb.ADD, Verb.FLAG]


def test_withdrawn_fact_does_not_come_back_from_the_same_evidence() -> None:
    facts, _ = run(said("Postgres", 1))
    withdrawn = (replace(facts[0], valid_to=facts[0].valid_from, recorded_at=NOW, reason="undone by Ada"),)
    assert resolve(withdrawn, [said("Postgres", 1)], NOW).actions[0].verb is Verb.IGNORE
    later = said("Postgres", 400)
    assert resolve(withdrawn, [later], NOW).actions[0].verb is Verb.ADD


def test_a_more_exact_wording_is_kept_when_it_confirms() -> None:
    facts, verbs = run(said("Postgres", 1), said("Postgres 16", 2), said("Postgres", 3))
    assert verbs == [Verb.ADD, Verb.CONFIRM, Verb.CONFIRM]
    assert current(facts) == ["Postgres 16"]


def test_another_version_supersedes() -> None:
    facts, verbs = run(said("Postgres 15", 1), said("Postgres 16", 2))
    assert verbs == [Verb.ADD, Verb.SUPERSEDE]
    assert current(facts) == ["Postgres 16"]


def test_a_late_word_from_before_an_end_lasts_until_the_next_value() -> None:
    facts, _ = run(said("A", 1), said("A", 5, negated=True), said("C", 10), said("B", 3))
    held = {f.value: (f.valid_from, f.valid_to) for f in facts}
    assert held == {"A": (day(1), day(3)), "B": (day(3), day(10)), "C": (day(10), None)}


VALUES = ["alpha", "beta", "gamma"]
TELLING = st.builds(
    lambda value, number, standing, many, negated: said(
        value, number, standing, slot=SUPPORTS if many else DATABASE, many=many, negated=negated
    ),
    st.sampled_from(VALUES),
    st.integers(0, 30),
    st.sampled_from(list(Standing)),
    st.booleans(),
    st.booleans(),
)
EQUAL = st.lists(
    st.tuples(st.sampled_from(VALUES), st.integers(0, 60)), unique_by=lambda item: item[1], max_size=9
)


@given(st.lists(TELLING, max_size=12))
@settings(max_examples=300, deadline=None)
def test_never_two_values_at_one_time_in_a_functional_slot(proposals: list[Proposal]) -> None:
    facts, _ = run(*proposals)
    held = [f for f in facts if f.slot == DATABASE and f.valid_to != f.valid_from]
    for number in range(32):
        at = day(number)
        here = [f for f in held if f.valid_from <= at and (f.valid_to is None or at < f.valid_to)]
        assert len(here) <= 1
    many = [f.value for f in facts if f.slot == SUPPORTS and f.current]
    assert len(many) == len(set(many))
    assert len({f.id for f in facts}) == len(facts)


@given(st.lists(TELLING, max_size=12))
@settings(max_examples=300, deadline=None)
def test_weaker_never_retires_stronger(proposals: list[Proposal]) -> None:
    facts: tuple[Fact, ...] = ()
    for proposal in proposals:
        before = {f.id: f for f in facts if f.current}
        outcome = resolve(facts, [proposal], NOW)
        facts = applied(facts, outcome)
        still = {f.id for f in facts if f.current}
        for identity, fact in before.items():
            if identity not in still:
                assert proposal.standing.rank >= fact.standing.rank
                assert proposal.valid_from > fact.valid_from


@given(st.lists(TELLING, max_size=12))
@settings(max_examples=300, deadline=None)
def test_every_proposal_gets_one_verb_with_a_reason(proposals: list[Proposal]) -> None:
    outcome = resolve((), proposals, NOW)
    assert len(outcome.actions) == len(proposals)
    assert all(action.reason for action in outcome.actions)


@given(st.lists(TELLING, max_size=12))
@settings(max_examples=300, deadline=None)
def test_a_second_application_of_the_newest_words_changes_nothing_current(proposals: list[Proposal]) -> None:
    once = applied((), resolve((), proposals, NOW))
    again = applied(once, resolve(once, proposals, NOW + timedelta(hours=1)))
    positive = [p for p in proposals if not p.negated]
    if len(positive) == len(proposals):
        assert current(again) == current(once)


@given(EQUAL)
@settings(max_examples=300, deadline=None)
def test_a_second_application_is_without_effect(points: list[tuple[str, int]]) -> None:
    proposals = [said(value, number) for value, number in points]
    once = applied((), resolve((), proposals, NOW))
    outcome = resolve(once, proposals, NOW + timedelta(hours=1))
    assert (outcome.closes, outcome.appends) == ((), ())


@given(EQUAL, st.randoms(use_true_random=False))
@settings(max_examples=400, deadline=None)
def test_history_of_equal_standing_does_not_depend_on_arrival(
    points: list[tuple[str, int]], dice: Random
) -> None:
    arrival = list(points)
    dice.shuffle(arrival)
    facts, _ = run(*(said(value, number) for value, number in arrival))
    expected: list[tuple[str, datetime, datetime | None]] = []
    for value, number in sorted(points, key=lambda item: item[1]):
        if expected and expected[-1][0] == value:
            continue
        if expected:
            expected[-1] = (*expected[-1][:2], day(number))
        expected.append((value, day(number), None))
    # A late word may leave two neighbouring pieces of one value; read together they tell the same story.
    assert _joined(story_in_time(facts)) == expected


def story_in_time(facts: tuple[Fact, ...]) -> list[tuple[str, datetime, datetime | None]]:
    return sorted(story(facts), key=lambda piece: piece[1])


def _joined(
    pieces: list[tuple[str, datetime, datetime | None]],
) -> list[tuple[str, datetime, datetime | None]]:
    joined: list[tuple[str, datetime, datetime | None]] = []
    for value, start, end in pieces:
        if joined and joined[-1][0] == value and joined[-1][2] == start:
            joined[-1] = (value, joined[-1][1], end)
        else:
            joined.append((value, start, end))
    return joined
