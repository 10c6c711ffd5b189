"""Scaling, summing, ranks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.fusion import fuse, ranks, scaled

lists = st.dictionaries(st.integers(0, 30), st.floats(-1e3, 1e3), max_size=20)


def test_scaled():
    assert scaled({1: 2.0, 2: 4.0, 3: 3.0}) == {1: 0.0, 2: 1.0, 3: 0.5}
    assert scaled({1: 7.0}) == {1: 1.0}
    assert scaled({}) == {}


def test_a_list_whose_best_is_little_is_worth_as_much_less():
    assert scaled({1: 2.0, 2: 4.0, 3: 3.0}, enough=8.0) == {1: 0.0, 2: 0.5, 3: 0.25}
    assert scaled({1: 2.0, 2: 4.0, 3: 3.0}, enough=4.0) == {1: 0.0, 2: 1.0, 3: 0.5}
    assert scaled({1: 2.0}, enough=8.0) == {1: 0.25}
    fused = fuse({"words": {1: 1.0, 2: 0.0}, "sense": {1: 0.1, 2: 0.2}}, {}, {}, {"words": 4.0})
    assert fused == {1: 0.25, 2: 1.0}


def test_fuse_weighs_and_adds_priors():
    fused = fuse({"a": {1: 1.0, 2: 3.0}, "b": {2: 5.0, 3: 9.0}}, {"a": 1.0, "b": 2.0}, {1: 0.25, 9: 5.0})
    assert fused == {1: 0.25, 2: 1.0, 3: 2.0}


def test_ranks_are_dense():
    found = ranks({1: 0.5, 2: 0.9, 3: 0.5, 4: 0.1})
    assert {unit: signal.rank for unit, signal in found.items()} == {2: 1, 1: 2, 3: 2, 4: 3}


@given(lists)
def test_scaling_keeps_the_order_and_the_bounds(scores):
    result = scaled(scores)
    assert result.keys() == scores.keys()
    assert all(0.0 <= value <= 1.0 for value in result.values())
    ordered = sorted(scores, key=lambda unit: scores[unit])
    assert all(result[a] <= result[b] for a, b in pairwise(ordered))


@given(lists, lists)
def test_a_list_of_no_weight_changes_no_score(one, other):
    fused = fuse({"one": one, "other": other}, {"one": 1.0, "other": 0.0}, {})
    alone = fuse({"one": one}, {"one": 1.0}, {})
    assert {unit: fused[unit] for unit in alone} == pytest.approx(alone)
