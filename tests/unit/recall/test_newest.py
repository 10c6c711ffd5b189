"""The newest of those that say the same takes the best place; nothing else moves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from recall.candidates import Candidate
from recall.newest import alike, newest_first

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def unit(
    number: int, days: int, *, kind: str = "turn", standing: str | None = "person", slot: str | None = None
):
    at = DAY + timedelta(days=days)
    return Candidate(number, kind, str(number), "p", f"s{number}", at, standing, slot, True, None, None)


SAME = {"limit": 2.0, "api": 1.0}


def test_the_newest_statement_takes_the_best_score():
    order = [unit(1, 0), unit(2, 9), unit(3, 5)]
    scores = {1: 3.0, 2: 2.0, 3: 1.0}
    matched = {1: SAME, 2: SAME, 3: {"other": 1.0}}
    assert newest_first(order, scores, matched) == {1: 2.0, 2: 3.0, 3: 1.0}


def test_who_shares_a_word_or_two_says_nothing_of_the_same():
    order = [unit(1, 0), unit(2, 9)]
    scores = {1: 3.0, 2: 2.0}
    matched = {1: SAME, 2: SAME}
    assert newest_first(order, scores, matched, least=3.1) == scores
    assert newest_first(order, scores, matched, least=3.0) == {1: 2.0, 2: 3.0}
    facts = [unit(n, n, kind="fact", slot="api/limit") for n in (1, 2)]
    assert newest_first(facts, scores, {}, least=3.1) == {1: 2.0, 2: 3.0}


def test_an_agents_words_do_not_compete():
    order = [unit(1, 0), unit(2, 9, standing=None)]
    scores = {1: 3.0, 2: 2.0}
    assert newest_first(order, scores, {1: SAME, 2: SAME}) == scores


def test_the_past_is_left_alone():
    order = [unit(1, 0), unit(2, 9)]
    scores = {1: 3.0, 2: 2.0}
    assert newest_first(order, scores, {1: SAME, 2: SAME}, talk=False) == scores


def test_facts_of_one_slot_compete_whatever_they_matched():
    order = [unit(1, 0, kind="fact", slot="api/limit"), unit(2, 9, kind="fact", slot="api/limit")]
    assert newest_first(order, {1: 3.0, 2: 2.0}, {}, talk=False) == {1: 2.0, 2: 3.0}
    apart = [unit(1, 0, kind="fact", slot="api/limit"), unit(2, 9, kind="fact", slot="api/errors")]
    assert newest_first(apart, {1: 3.0, 2: 2.0}, {}) == {1: 3.0, 2: 2.0}


def test_only_the_top_is_reordered():
    order = [unit(n, n) for n in range(7)]
    scores = {n: 10.0 - n for n in range(7)}
    changed = newest_first(order, scores, dict.fromkeys(range(7), SAME))
    assert changed == {0: 6.0, 1: 7.0, 2: 8.0, 3: 9.0, 4: 10.0, 5: 5.0, 6: 4.0}


def test_an_agents_words_between_take_no_place_at_the_top():
    order = [unit(0, 0), *(unit(n, n, standing=None) for n in range(1, 6)), unit(6, 9)]
    scores = {n: 10.0 - n for n in range(7)}
    assert newest_first(order, scores, dict.fromkeys(range(7), SAME)) == scores | {0: 4.0, 6: 10.0}


def test_facts_take_no_place_of_what_was_said():
    facts = [unit(n, n, kind="fact", slot=f"a/{n}") for n in range(1, 6)]
    order = [unit(0, 0), *facts, unit(6, 9)]
    scores = {n: 10.0 - n for n in range(7)}
    changed = newest_first(order, scores, dict.fromkeys(range(7), SAME))
    assert changed == scores | {0: 4.0, 6: 10.0}


def test_alike():
    assert alike({"a": 1.0, "b": 1.0}, {"a": 1.0}) == 0.5
    assert alike({}, {}) == 0.0
