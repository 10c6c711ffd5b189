"""Current first: of units that say the same about one thing, the newest takes the best place.

Without a model, "the same thing" is read from the slot of facts, and for what a person said from matching the same
words of the question: similarity is aboutness, so this reorders the top and never hides anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recall.candidates import TURN_KIND, Candidate

TOP = 5
ALIKE = 0.6


def newest_first(
    order: Sequence[Candidate],
    scores: Mapping[int, float],
    matched: Mapping[int, Mapping[str, float]],
    *,
    talk: bool = True,
    least: float = 0.0,
) -> dict[int, float]:
    """Return ``scores`` with the best of each cluster among the first ``TOP`` statements given to its newest.

    Statements are facts, and what a person said: each sort has its own first ones, and an agent's words between them do
    not count. ``matched`` holds, for a unit, the lexemes of the question that it matched with their weights: of what a
    person said they must weigh ``least``, since any two share a word or two by chance. Without ``talk`` only facts are
    ordered so: who does not ask how things are now asks for what was said then.
    """
    changed = dict(scores)
    facts = [unit for unit in order if unit.slot][:TOP]
    said = [unit for unit in order if talk and not unit.slot and _said(unit)][:TOP]
    left = facts + [unit for unit in said if sum(matched.get(unit.unit, {}).values()) >= least]
    while left:
        seed = left.pop(0)
        cluster = [seed, *(other for other in left if _same(seed, other, matched))]
        left = [other for other in left if other not in cluster]
        if len(cluster) > 1:
            best = sorted((changed[unit.unit] for unit in cluster), reverse=True)
            by_time = sorted(cluster, key=lambda unit: (unit.valid_from or unit.at, unit.unit), reverse=True)
            changed.update({unit.unit: score for unit, score in zip(by_time, best, strict=True)})
    return changed


def _said(unit: Candidate) -> bool:
    return unit.kind == TURN_KIND and unit.standing == "person"


def _same(one: Candidate, other: Candidate, matched: Mapping[int, Mapping[str, float]]) -> bool:
    if one.slot or other.slot:
        return one.slot == other.slot and one.project == other.project
    return alike(matched.get(one.unit, {}), matched.get(other.unit, {})) >= ALIKE


def alike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Weighted overlap of two sets of matched words, 0 to 1; words missing from both do not count."""
    both = sum(max(one[word], other[word]) for word in one.keys() & other.keys())
    either = sum(max(one.get(word, 0.0), other.get(word, 0.0)) for word in one.keys() | other.keys())
    return both / either if either > 0 else 0.0
