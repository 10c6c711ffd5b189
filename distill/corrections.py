"""What a person does to facts: retire, restore, confirm, pin, edit, decide a flag. Pure, like resolve.

Each function takes the believed versions of a slot and returns a Resolution: versions to close in
recorded time and versions to append. Nothing is changed in place, so a look at what was known in between
still shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from distill.errors import EmptyText, NotCurrent, SlotTaken, StillCurrent
from distill.identity import derived_id
from distill.resolve import Resolution, next_version
from distill.timeline import UNDONE
from distill.values import same
from schema.records import Cardinality, Evidence, Fact, Proposal, Standing


def retire(fact: Fact, by: str, reason: str, now: datetime) -> Resolution:
    """Close a current fact at ``now``. Raises NotCurrent."""
    _must_be_current(fact)
    why = f"retired by {by}" + (f": {reason}" if reason else "")
    return _changed(fact, replace(fact, valid_to=max(now, fact.valid_from), reason=why), now)


def restore(fact: Fact, lives: Sequence[Fact], lane: Sequence[Fact], by: str, now: datetime) -> Resolution:
    """Bring a closed fact back exactly as it was last current, undoing what replaced it.

    ``lives`` are all versions of the fact, ``lane`` the believed versions of its slot. Raises
    StillCurrent, and SlotTaken where a fact that did not replace this one stands in the slot.
    """
    if fact.current:
        raise StillCurrent(fact=fact.id[:8])
    last = max((v for v in lives if v.valid_to is None), key=lambda v: v.recorded_at, default=None)
    before = replace(last or fact, valid_to=None, superseded_by=None)
    again = replace(before, version=fact.version, pinned=last.pinned if last else fact.pinned)
    others = [f for f in lane if f.current and f.id != fact.id and _competes(f, fact)]
    closes, appends = [fact.version], [next_version(again, now)]
    for other in others:
        if fact.superseded_by != other.id:
            raise SlotTaken(fact=fact.id[:8], other=other.statement)
        gone = replace(other, valid_to=other.valid_from, superseded_by=None, reason=f"{UNDONE}{by}")
        closes.append(other.version)
        appends.append(next_version(gone, now))
    return Resolution((), tuple(closes), tuple(appends))


def confirm(fact: Fact, by: str, now: datetime) -> Resolution:
    """Note a person's word for a current fact. Raises NotCurrent."""
    _must_be_current(fact)
    word = Evidence("person", derived_id(now, "confirm", fact.id, by), now)
    standing = Standing.PERSON if fact.standing is Standing.MODEL else fact.standing
    stood = replace(fact, standing=standing, evidence=(*fact.evidence, word), reason=f"confirmed by {by}")
    return _changed(fact, stood, now)


def pin(fact: Fact, pinned: bool, now: datetime) -> Resolution:
    """Pin or unpin a current fact: a pinned one is only ever flagged. Raises NotCurrent."""
    _must_be_current(fact)
    return Resolution(()) if fact.pinned is pinned else _changed(fact, replace(fact, pinned=pinned), now)


def edit(fact: Fact, by: str, now: datetime, *, statement: str = "", value: str = "") -> Resolution:
    """Reword a current fact, or correct its value, as a person's word. Raises NotCurrent and EmptyText."""
    _must_be_current(fact)
    if not (statement.strip() or value.strip()):
        raise EmptyText
    reworded = replace(
        fact,
        statement=statement.strip() or fact.statement.replace(fact.value, value.strip()),
        value=value.strip() or fact.value,
        standing=Standing.PERSON if fact.standing is Standing.MODEL else fact.standing,
        reason=f"edited by {by}",
    )
    return _changed(fact, reworded, now)


def accept(fact: Fact, proposal: Proposal, by: str, now: datetime) -> Resolution:
    """Let a flagged proposal have its way: a person decided, so standing and pin no longer stand against
    it.
    """
    _must_be_current(fact)
    at = proposal.valid_from if proposal.valid_from > fact.valid_from else now
    reason = f"replaced by {proposal.value}, accepted by {by}"
    if proposal.negated:
        return _changed(fact, replace(fact, valid_to=at, reason=f"ended, accepted by {by}"), now)
    identity = derived_id(now, "accepted", fact.id, proposal.value, by)
    made = Fact(
        id=identity,
        version=identity,
        slot=fact.slot,
        cardinality=fact.cardinality,
        kind=proposal.kind,
        value=proposal.value,
        statement=proposal.statement,
        standing=Standing.CODE if proposal.standing is Standing.CODE else Standing.PERSON,
        valid_from=at,
        recorded_at=now,
        reason=f"accepted by {by}",
        session=next((e.session for e in proposal.evidence if e.session), None),
        evidence=proposal.evidence,
        files=proposal.files,
    )
    closed = replace(fact, valid_to=at, superseded_by=made.id, reason=reason)
    return Resolution((), (fact.version,), (next_version(closed, now), next_version(made, now)))


def _changed(fact: Fact, after: Fact, now: datetime) -> Resolution:
    return Resolution((), (fact.version,), (next_version(after, now),))


def _competes(other: Fact, fact: Fact) -> bool:
    return fact.cardinality is Cardinality.ONE or same(other.value, fact.value)


def _must_be_current(fact: Fact) -> None:
    if not fact.current:
        raise NotCurrent(fact=fact.id[:8])
