"""The measures that need no database hold, on small sets and every time."""

from __future__ import annotations

import pytest

from limbeck.bench.facts_chains import chains
from limbeck.bench.facts_code import code_proof
from limbeck.bench.facts_distiller import labelled_sessions, planted
from limbeck.bench.facts_timelines import timelines


@pytest.mark.parametrize("seed", [1, 2])
def test_every_reader_is_exact_before_and_after_a_change(seed: int) -> None:
    result = code_proof(seed)
    assert result["failures"] == []
    assert result["repositories"] >= 60


def test_the_labelled_sessions_reach_their_targets() -> None:
    result = labelled_sessions()
    for half in ("tuning", "unseen"):
        assert result[f"{half}_recall"] >= 85
        assert result[f"{half}_junk"] <= 5
    assert result["dead_ends_as_facts"] == 0
    assert result["tuning_sessions"] + result["unseen_sessions"] >= 30


def test_no_planted_order_is_obeyed() -> None:
    result = planted()
    assert result["planted"] >= 90
    assert result["failures"] == []


def test_generators_repeat_themselves_for_a_seed() -> None:
    assert timelines(5, 3) == timelines(5, 3)
    assert timelines(5, 3) != timelines(5, 4)
    assert chains(100, 3) == chains(100, 3)
