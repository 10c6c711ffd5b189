"""What a ranking is worth: every metric with its exact definition. ``ranked`` is in order, without repeats.

any@k   1 where at least one gold id is among the first k (others call this R@k)
frac@k  the share of the gold ids among the first k
all@k   1 where every gold id is among the first k
mrr     1 / place of the first gold id, 0 where there is none
ndcg@k  gain 1 a gold id, discounted by log2(place + 1), over the best possible for the whole gold set
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence

Metric = Callable[[Sequence[str], Collection[str]], float]


def any_at(k: int) -> Metric:
    """At least one gold id among the first ``k``."""
    return lambda ranked, gold: float(any(one in gold for one in ranked[:k]))


def frac_at(k: int) -> Metric:
    """The share of gold ids among the first ``k``."""
    return lambda ranked, gold: len(set(ranked[:k]) & set(gold)) / len(gold)


def all_at(k: int) -> Metric:
    """Every gold id among the first ``k``."""
    return lambda ranked, gold: float(set(gold) <= set(ranked[:k]))


def mrr(ranked: Sequence[str], gold: Collection[str]) -> float:
    """One over the place of the first gold id."""
    return next((1.0 / place for place, one in enumerate(ranked, start=1) if one in gold), 0.0)


def ndcg_at(k: int) -> Metric:
    """Normalised discounted gain of the first ``k``."""

    def measure(ranked: Sequence[str], gold: Collection[str]) -> float:
        gain = sum(1 / math.log2(place + 1) for place, one in enumerate(ranked[:k], start=1) if one in gold)
        return gain / sum(1 / math.log2(place + 1) for place in range(1, min(k, len(gold)) + 1))

    return measure


METRICS: Mapping[str, Metric] = {
    "any@1": any_at(1),
    "any@5": any_at(5),
    "any@10": any_at(10),
    "frac@5": frac_at(5),
    "all@5": all_at(5),
    "mrr": mrr,
    "ndcg@10": ndcg_at(10),
}


def mean(rankings: Sequence[tuple[Sequence[str], Collection[str]]]) -> dict[str, float]:
    """Return the mean of every metric, in per cent, over (ranked, gold) pairs that have gold."""
    rated = [(ranked, gold) for ranked, gold in rankings if gold]
    if not rated:
        return {}
    return {
        name: round(100 * sum(metric(ranked, gold) for ranked, gold in rated) / len(rated), 1)
        for name, metric in METRICS.items()
    }


def superseded(pairs: Sequence[tuple[Sequence[str], Collection[str], Collection[str]]]) -> dict[str, float]:
    """Return how well updates rank, in per cent, over (ranked, updated ids, original ids).

    nbo: the best updated id stands above the best original; cur@5 and stale@5: an updated, an original id among the
    first five; clean@5: an updated id among the first five and above every original.
    """
    if not pairs:
        return {}
    sums = dict.fromkeys(("nbo", "cur@5", "stale@5", "clean@5"), 0.0)
    for ranked, updated, original in pairs:
        new, old = _place(ranked, updated), _place(ranked, original)
        sums["nbo"] += new < old
        sums["cur@5"] += new <= 5
        sums["stale@5"] += old <= 5
        sums["clean@5"] += new <= 5 and new < old
    return {name: round(100 * value / len(pairs), 1) for name, value in sums.items()}


def _place(ranked: Sequence[str], wanted: Collection[str]) -> float:
    return next((place for place, one in enumerate(ranked, start=1) if one in wanted), math.inf)
