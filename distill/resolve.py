"""What becomes of proposals: the rules by which a fact changes. Pure: no clock, no database, no model.

A fact is superseded only by a proposal in the same slot that is newer evidence of at least equal standing.
A weaker source never retires a stronger one, it flags; older evidence is filed in history; the same value
in other words confirms. Similarity plays no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from distill.identity import derived_id
from distill.timeline import Placed, Verb, place
from distill.values import additive_key, value_key
from schema.records import Cardinality, Fact, Proposal, Slot

Lane = tuple[Slot, str]


@dataclass(frozen=True, slots=True)
class Action:
    """What became of one proposal, and why. ``target`` is the fact it met, ``made`` the one it left
    behind.
    """

    verb: Verb
    proposal: Proposal
    reason: str
    target: Fact | None = None
    made: Fact | None = None


@dataclass(frozen=True, slots=True)
class Resolution:
    """The actions, and their net effect: versions whose recorded time ends, and versions to append."""

    actions: tuple[Action, ...]
    closes: tuple[str, ...] = ()
    appends: tuple[Fact, ...] = ()

    @property
    def flags(self) -> tuple[Action, ...]:
        """The proposals a person has to decide."""
        return tuple(action for action in self.actions if action.verb is Verb.FLAG)


def resolve(current: Sequence[Fact], proposals: Iterable[Proposal], now: datetime) -> Resolution:
    """Decide every proposal against the believed versions of the slots they name.

    ``current`` holds every version with an open recorded time in those slots, past ones included. ``now``
    becomes the recorded time of what is appended. The order of ``proposals`` plays no part: they are
    taken in order of time.
    """
    lanes: dict[Lane, tuple[Fact, ...]] = {}
    cardinalities = {fact.slot: fact.cardinality for fact in current}
    for fact in current:
        key = _lane(fact.slot, fact.cardinality, fact.value)
        lanes[key] = (*lanes.get(key, ()), fact)
    before = {fact.version: fact for fact in current}
    actions = []
    for proposal in sorted(proposals, key=_order):
        offered = _settled(proposal, cardinalities)
        if not offered.value.strip() and not offered.negated:
            actions.append(Action(Verb.IGNORE, proposal, "no value was given"))
            continue
        key = _lane(offered.slot, offered.cardinality, offered.value)
        placed = place(lanes.get(key, ()), offered, now)
        cardinalities.setdefault(offered.slot, offered.cardinality)
        lanes[key] = placed.lane
        actions.append(_action(placed, offered))
    after = [fact for lane in lanes.values() for fact in lane]
    changed = [fact for fact in after if before.get(fact.version) != fact]
    unchanged = {fact.version for fact in after if before.get(fact.version) == fact}
    return Resolution(
        actions=tuple(actions),
        closes=tuple(version for version in before if version not in unchanged),
        appends=tuple(next_version(fact, now) for fact in changed),
    )


def next_version(fact: Fact, now: datetime) -> Fact:
    """Return ``fact`` as a version of its own, recorded at ``now``."""
    parts = (
        fact.id,
        fact.version,
        fact.valid_from.isoformat(),
        str(fact.valid_to),
        fact.reason,
        str(fact.pinned),
        fact.standing,
        *(e.id for e in fact.evidence),
    )
    return replace(fact, version=derived_id(now, "version", *parts), recorded_at=now, retired_at=None)


def _action(placed: Placed, proposal: Proposal) -> Action:
    return Action(placed.verb, proposal, placed.reason, placed.target, placed.made)


def _settled(proposal: Proposal, cardinalities: dict[Slot, Cardinality]) -> Proposal:
    """A slot keeps the cardinality it was first seen with."""
    known = cardinalities.get(proposal.slot)
    return proposal if known in (None, proposal.cardinality) else replace(proposal, cardinality=known)


def _lane(slot: Slot, cardinality: Cardinality, value: str) -> Lane:
    return slot, additive_key(value) if cardinality is Cardinality.MANY else ""


def _order(proposal: Proposal) -> tuple[object, ...]:
    evidence = proposal.evidence[0].id if proposal.evidence else ""
    return (
        proposal.valid_from,
        not proposal.negated,
        -proposal.standing.rank,
        value_key(proposal.value),
        proposal.value,
        evidence,
    )
