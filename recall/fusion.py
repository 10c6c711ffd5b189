"""Several lists of scores to one: each list scaled to 0..1 for the question, then summed with its weight."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from recall.answer import Signal

Scores = Mapping[int, float]


def scaled(scores: Scores, enough: float = 0.0) -> dict[int, float]:
    """Scale so that the best is 1 and the worst 0; a list of equal scores becomes all 1. Absent units count as 0.

    A list whose best is less than ``enough`` says little, and is worth as much less.
    """
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    worth = min(1.0, high / enough) if enough > 0 else 1.0
    if high <= low:
        return dict.fromkeys(scores, worth)
    return {unit: worth * (score - low) / (high - low) for unit, score in scores.items()}


def fuse(
    lists: Mapping[str, Scores],
    weights: Mapping[str, float],
    priors: Scores,
    enough: Mapping[str, float] = MappingProxyType({}),
) -> dict[int, float]:
    """Sum the scaled lists by unit, with a prior for each unit that any list holds.

    ``enough`` tells of a list what its best must reach to count in full.
    """
    fused: dict[int, float] = {}
    for name, scores in lists.items():
        weight = weights.get(name, 1.0)
        for unit, score in scaled(scores, enough.get(name, 0.0)).items():
            fused[unit] = fused.get(unit, 0.0) + weight * score
    return {unit: score + priors.get(unit, 0.0) for unit, score in fused.items()}


def ranks(scores: Scores) -> dict[int, Signal]:
    """Give every unit its place in the list; equal scores share one (dense ranks)."""
    places = {score: place for place, score in enumerate(sorted(set(scores.values()), reverse=True), start=1)}
    return {unit: Signal(rank=places[score], score=score) for unit, score in scores.items()}
