"""Grouping, budget, cut marks."""

from __future__ import annotations

from datetime import UTC, datetime

from recall.candidates import Candidate
from recall.present import MOST_CHARS, clipped, grouped, within

AT = datetime(2026, 3, 1, tzinfo=UTC)


def unit(number: int, session: str | None):
    return Candidate(number, "turn", str(number), "p", session, AT, None, None, True, None, None)


def test_sessions_in_the_order_of_their_best_at_most_three_units_each():
    order = [
        unit(1, "a"),
        unit(2, "b"),
        unit(3, "a"),
        unit(4, "a"),
        unit(5, "a"),
        unit(6, None),
        unit(7, "c"),
    ]
    shown = [(place, found.unit) for place, found in grouped(order, 3)]
    assert shown == [(1, 1), (1, 3), (1, 4), (2, 2), (3, 6)]


def test_a_short_text_is_whole():
    assert clipped("short", 100) == "short"


def test_a_cut_text_says_how_long_it_was():
    text = "word " * 1000
    cut = clipped(text, 200)
    assert len(cut) <= 200
    assert cut.endswith(f"[cut: {len(text)} characters in all]")


def test_the_budget_is_kept_and_the_first_always_shown():
    texts = dict.fromkeys(range(20), "x" * 10000)
    kept = within(texts, list(range(20)), 1000)
    assert list(kept) == [0, 1, 2]
    assert all(len(text) <= MOST_CHARS for text in kept.values())
    assert list(within(texts, [7, 8], 1)) == [7]
