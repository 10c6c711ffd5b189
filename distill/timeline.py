"""One lane of history: the believed versions of a slot (or of one value in an additive slot), in order of
time.

``place`` puts one proposal into a lane and says what that meant. It is pure and total: every proposal gets
exactly one verb and a reason, whatever the lane holds. Closed versions of zero length are withdrawals: a
person undid them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from distill.identity import derived_id
from distill.values import same, split_version
from schema.records import Cardinality, Evidence, Fact, Proposal, Standing

EVIDENCE_KEPT = 32
UNDONE = "undone by "
ENDED = "ended: "
SAID_TO_HAVE_CHANGED = "said to have changed"


class Verb(StrEnum):
    """What became of a proposal."""

    ADD = "add"
    CONFIRM = "confirm"
    SUPERSEDE = "supersede"
    CLOSE = "close"
    FLAG = "flag"
    IGNORE = "ignore"
    HISTORY = "history"


@dataclass(frozen=True, slots=True)
class Placed:
    """A verb with its reason, the lane afterwards, the fact it spoke about and the one it made."""

    verb: Verb
    reason: str
    lane: tuple[Fact, ...]
    target: Fact | None = None
    made: Fact | None = None


def place(lane: tuple[Fact, ...], proposal: Proposal, now: datetime) -> Placed:
    """Put ``proposal`` into ``lane`` (believed versions only, in any order)."""
    held = tuple(sorted((f for f in lane if f.valid_to != f.valid_from), key=lambda fact: fact.valid_from))
    withdrawn = tuple(fact for fact in lane if fact.valid_to == fact.valid_from)
    if proposal.doubt:
        return _doubted(lane, _holder(held, proposal.valid_from), proposal)
    if proposal.negated:
        return _end(held, withdrawn, proposal, now)
    if any(same(f.value, proposal.value) and _covered(f, proposal) for f in withdrawn):
        return Placed(Verb.IGNORE, "it was taken back after this evidence was given", lane)
    holder = _holder(held, proposal.valid_from)
    if holder is None:
        ends = tuple(f for f in withdrawn if f.reason.startswith(ENDED))
        placed = _into_gap(held, ends, proposal, now)
    elif same(holder.value, proposal.value):
        placed = _confirm(held, holder, proposal)
    elif holder.current and not _affirmed_after(holder, proposal.valid_from):
        placed = _contend(held, holder, proposal, now)
    else:
        placed = _into_past(held, holder, proposal, now)
    return replace(placed, lane=(*withdrawn, *placed.lane))


def _end(held: tuple[Fact, ...], withdrawn: tuple[Fact, ...], proposal: Proposal, now: datetime) -> Placed:
    """A value is said to hold no longer; an empty value means whatever the slot holds."""
    lane = (*withdrawn, *held)
    holder = next(
        (f for f in held if f.current and (not proposal.value or same(f.value, proposal.value))), None
    )
    at = proposal.valid_from
    if holder is None:
        return _never_or_ended_before(held, withdrawn, proposal, now)
    if proposal.given_up and _only_from_session(holder, proposal):
        return _take_back(held, withdrawn, holder, proposal)
    if proposal.given_up:
        return Placed(Verb.IGNORE, "another session stated it too", lane, holder)
    if at <= holder.valid_from or _affirmed_after(holder, at):
        return Placed(Verb.IGNORE, "the fact was affirmed after this evidence", lane, holder)
    if holder.pinned:
        return Placed(Verb.FLAG, "the fact is pinned", lane, holder)
    if proposal.standing.rank < holder.standing.rank:
        return Placed(Verb.FLAG, _weaker(proposal, holder), lane, holder)
    reason = f"{ENDED}{proposal.statement}"
    ended = replace(holder, valid_to=at, superseded_by=None, reason=reason)
    return Placed(Verb.CLOSE, reason, (*withdrawn, *_swap(held, holder, ended)), holder, ended)


def _doubted(lane: tuple[Fact, ...], holder: Fact | None, proposal: Proposal) -> Placed:
    """A word that what stands may hold no longer: it changes nothing. What code proves only code can end."""
    if holder is None or not holder.current:
        return Placed(Verb.IGNORE, "nothing current to doubt", lane)
    if holder.standing is Standing.CODE and proposal.standing is not Standing.CODE:
        return Placed(Verb.IGNORE, "the code proves it: words alone do not speak against that", lane, holder)
    if (
        _affirmed_after(holder, proposal.valid_from)
        or same(holder.value, proposal.value) is not proposal.negated
    ):
        return Placed(Verb.IGNORE, "it was stated again since", lane, holder)
    return Placed(Verb.FLAG, SAID_TO_HAVE_CHANGED, lane, holder)


def _never_or_ended_before(
    held: tuple[Fact, ...], withdrawn: tuple[Fact, ...], proposal: Proposal, now: datetime
) -> Placed:
    """Nothing current ends. In an additive slot the end is kept all the same: its beginning may arrive
    late.
    """
    lane = (*withdrawn, *held)
    known = any(e.id in {p.id for p in proposal.evidence} for f in lane for e in f.evidence)
    if held or known or proposal.cardinality is Cardinality.ONE or proposal.given_up or not proposal.stated:
        return Placed(Verb.IGNORE, "nothing current to close", lane)
    ended = replace(_made(proposal, now, f"{ENDED}{proposal.statement}"), valid_to=proposal.valid_from)
    return Placed(Verb.HISTORY, "ended before anything said that it began", (*lane, ended), made=ended)


def _only_from_session(fact: Fact, proposal: Proposal) -> bool:
    spoken = {e.session for e in proposal.evidence}
    return bool(fact.evidence) and {e.session for e in fact.evidence} <= spoken and not fact.pinned


def _take_back(
    held: tuple[Fact, ...], withdrawn: tuple[Fact, ...], holder: Fact, proposal: Proposal
) -> Placed:
    """The session that stated it gave it up: it never held, and what it had replaced stands again."""
    reason = f"given up in the session that stated it: {proposal.statement}"
    gone = replace(holder, valid_to=holder.valid_from, superseded_by=None, reason=reason)
    lane = _swap(held, holder, gone)
    before = next((f for f in held if f.superseded_by == holder.id and f.valid_to == holder.valid_from), None)
    if before is not None:
        lane = _swap(lane, before, replace(before, valid_to=None, superseded_by=None, reason=reason))
    return Placed(Verb.CLOSE, reason, (*withdrawn, *lane), holder, gone)


def _into_gap(held: tuple[Fact, ...], ends: tuple[Fact, ...], proposal: Proposal, now: datetime) -> Placed:
    """Nothing held at that time: a first word, an earlier start of what follows, or a piece of history."""
    following = next((f for f in held if f.valid_from > proposal.valid_from), None)
    if following is None:
        made = _made(proposal, now, "first evidence" if not held else "again after it had ended")
        end = min((f.valid_from for f in ends if f.valid_from > proposal.valid_from), default=None)
        if end is not None:
            return Placed(
                Verb.HISTORY, "it had ended already", (*held, replace(made, valid_to=end)), made=made
            )
        return Placed(Verb.ADD, made.reason, (*held, made), made=made)
    if same(following.value, proposal.value):
        earlier = replace(_merged(following, proposal), valid_from=proposal.valid_from)
        return Placed(
            Verb.CONFIRM, "held earlier than known", _swap(held, following, earlier), following, earlier
        )
    made = replace(
        _made(proposal, now, "older evidence that arrived late"),
        valid_to=following.valid_from,
        superseded_by=following.id,
    )
    return Placed(Verb.HISTORY, made.reason, (*held, made), following, made)


def _confirm(held: tuple[Fact, ...], holder: Fact, proposal: Proposal) -> Placed:
    merged = _merged(holder, proposal)
    if merged == holder:
        return Placed(Verb.IGNORE, "already known from this evidence", held, holder)
    return Placed(Verb.CONFIRM, "said again", _swap(held, holder, merged), holder, merged)


def _contend(held: tuple[Fact, ...], holder: Fact, proposal: Proposal, now: datetime) -> Placed:
    """Another value, and nothing newer speaks for the one that stands."""
    if holder.pinned:
        return Placed(Verb.FLAG, "the fact is pinned", held, holder)
    if proposal.standing.rank < holder.standing.rank:
        return Placed(Verb.FLAG, _weaker(proposal, holder), held, holder)
    if proposal.valid_from <= holder.valid_from:
        return Placed(Verb.FLAG, "two values at the same moment", held, holder)
    made = _made(proposal, now, f"replaces {holder.value}")
    reason = f"replaced by {proposal.value}: {proposal.statement}"
    ended = replace(holder, valid_to=proposal.valid_from, superseded_by=made.id, reason=reason)
    return Placed(Verb.SUPERSEDE, reason, (*_swap(held, holder, ended), made), holder, made)


def _into_past(held: tuple[Fact, ...], holder: Fact, proposal: Proposal, now: datetime) -> Placed:
    """Another value inside an interval that is over, or that was affirmed again later: split the interval."""
    at = proposal.valid_from
    if proposal.standing.rank < holder.standing.rank:
        return Placed(Verb.IGNORE, "weaker than what history holds for that time", held, holder)
    if at <= holder.valid_from:
        return Placed(Verb.IGNORE, "two values at the same moment in the past", held, holder)
    again = min((e.at for e in holder.evidence if e.at > at and _inside(holder, e.at)), default=None)
    following = next((f for f in held if f.valid_from > at and f is not holder), None)
    if again is None and following is not None and same(following.value, proposal.value):
        earlier = replace(_merged(following, proposal), valid_from=at)
        ended = replace(holder, valid_to=at)
        lane = _swap(_swap(held, following, earlier), holder, ended)
        return Placed(Verb.HISTORY, "held earlier than known", lane, holder, earlier)
    made = _made(proposal, now, "older evidence that arrived late")
    before = tuple(e for e in holder.evidence if e.at < at)
    if again is None:
        if following is not None and following.valid_from != holder.valid_to:  # after a time without a value
            made = replace(made, valid_to=following.valid_from, superseded_by=following.id)
        elif following is not None or holder.superseded_by is not None:
            made = replace(made, valid_to=holder.valid_to, superseded_by=holder.superseded_by)
        first = replace(holder, valid_to=at, superseded_by=made.id)
        return Placed(Verb.HISTORY, made.reason, (*_swap(held, holder, first), made), holder, made)
    made = replace(made, valid_to=again, superseded_by=holder.id)
    first_id = derived_id(now, "split", holder.id, at.isoformat())
    first = replace(
        holder,
        id=first_id,
        valid_to=at,
        superseded_by=made.id,
        reason=made.reason,
        evidence=before,
        pinned=False,
    )
    rest = replace(holder, valid_from=again, evidence=tuple(e for e in holder.evidence if e.at >= again))
    return Placed(Verb.HISTORY, made.reason, (*_swap(held, holder, rest), first, made), holder, made)


def _covered(withdrawn: Fact, proposal: Proposal) -> bool:
    """A person's undo covers everything said until then; a session's own change of mind only what it had
    said.
    """
    if withdrawn.reason.startswith(UNDONE):
        return proposal.valid_from <= withdrawn.recorded_at
    return {e.id for e in proposal.evidence} <= {e.id for e in withdrawn.evidence}


def _made(proposal: Proposal, now: datetime, reason: str) -> Fact:
    parts = (
        proposal.slot.subject,
        proposal.slot.attribute,
        proposal.slot.scope,
        proposal.value,
        proposal.valid_from.isoformat(),
        *(e.id for e in proposal.evidence),
    )
    identity = derived_id(now, "fact", *parts)
    return Fact(
        id=identity,
        version=identity,
        slot=proposal.slot,
        cardinality=proposal.cardinality,
        kind=proposal.kind,
        value=proposal.value,
        statement=proposal.statement,
        standing=proposal.standing,
        valid_from=proposal.valid_from,
        recorded_at=now,
        reason=reason,
        session=next((e.session for e in proposal.evidence if e.session), None),
        evidence=proposal.evidence,
        files=proposal.files,
    )


def _merged(fact: Fact, proposal: Proposal) -> Fact:
    """The fact with the proposal's evidence; the stronger standing and the more exact wording win."""
    known = {e.id for e in fact.evidence}
    fresh = tuple(e for e in proposal.evidence if e.id not in known)
    evidence = _kept(tuple(sorted((*fact.evidence, *fresh), key=lambda e: (e.at, e.id))))
    if {e.id for e in evidence} == known:
        evidence = fact.evidence
    stronger = proposal.standing.rank > fact.standing.rank
    sharper = bool(split_version(proposal.value)[1]) and not split_version(fact.value)[1]
    files = tuple(dict.fromkeys((*fact.files, *proposal.files)))
    return replace(
        fact,
        evidence=evidence,
        files=files,
        standing=proposal.standing if stronger else fact.standing,
        value=proposal.value if sharper else fact.value,
        statement=proposal.statement if sharper else fact.statement,
    )


def _kept(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    return evidence if len(evidence) <= EVIDENCE_KEPT else (*evidence[: EVIDENCE_KEPT - 1], evidence[-1])


def _holder(held: tuple[Fact, ...], at: datetime) -> Fact | None:
    return next((f for f in held if f.valid_from <= at and _inside(f, at)), None)


def _inside(fact: Fact, at: datetime) -> bool:
    return fact.valid_to is None or at < fact.valid_to


def _affirmed_after(fact: Fact, at: datetime) -> bool:
    return any(e.at > at for e in fact.evidence)


def _swap(lane: tuple[Fact, ...], old: Fact, new: Fact) -> tuple[Fact, ...]:
    return tuple(new if fact is old else fact for fact in lane)


def _weaker(proposal: Proposal, holder: Fact) -> str:
    words = {
        Standing.CODE: "proven by the code",
        Standing.PERSON: "said by a person",
        Standing.MODEL: "inferred",
    }
    return f"the new value is only {words[proposal.standing]}, the current one is {words[holder.standing]}"
