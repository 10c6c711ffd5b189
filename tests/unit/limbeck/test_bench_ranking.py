"""The metrics, on rankings worked out by hand."""

from __future__ import annotations

import math

import pytest

from limbeck.bench.ranking import all_at, any_at, frac_at, mean, mrr, ndcg_at, superseded

RANKED = ["c", "a", "x", "b", "y", "z"]


@pytest.mark.parametrize(
    ("metric", "gold", "expected"),
    [
        (any_at(1), {"a"}, 0.0),
        (any_at(2), {"a"}, 1.0),
        (any_at(5), {"missing"}, 0.0),
        (frac_at(2), {"a", "b"}, 0.5),
        (frac_at(4), {"a", "b", "missing", "gone"}, 0.5),
        (all_at(2), {"a", "b"}, 0.0),
        (all_at(4), {"a", "b"}, 1.0),
        (mrr, {"a", "b"}, 0.5),
        (mrr, {"missing"}, 0.0),
        (ndcg_at(10), {"c"}, 1.0),
        (ndcg_at(10), {"a"}, 1 / math.log2(3)),
        (ndcg_at(2), {"a", "b"}, (1 / math.log2(3)) / (1 + 1 / math.log2(3))),
    ],
)
def test_metric(metric, gold, expected):
    assert metric(RANKED, gold) == pytest.approx(expected)


def test_mean_leaves_out_questions_without_gold():
    figures = mean([(["a"], {"a"}), (["b"], {"a"}), (["a"], set())])
    assert figures["any@1"] == 50.0
    assert mean([]) == {}


def test_superseded():
    pairs = [
        (["new", "old"], {"new"}, {"old"}),
        (["old", "new"], {"new"}, {"old"}),
        (["a", "b", "c", "d", "e", "new"], {"new"}, {"old"}),
        (["a"], {"new"}, {"old"}),
    ]
    assert superseded(pairs) == {"nbo": 50.0, "cur@5": 50.0, "stale@5": 50.0, "clean@5": 25.0}
