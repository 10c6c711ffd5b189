"""Which slot a sentence meant, seen against what is believed.

People rarely name a slot: "we switched from Redis to Memcached" names two values and no role, "billing
now uses NATS" names no attribute. The facts that stand answer it: the one that holds the value that was
named, or the only thing known of that subject. Where they do not answer, a proposal keeps the slot it
came with, and one that only implied its slot is filed beside what stands, never over it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from distill.context import OPEN_ATTRIBUTES, Held, left_out, lifted
from distill.shapes import is_path
from distill.slots import CHOICE, LANGUAGE, PROJECT, RULE, USES, slot
from distill.unread import understood
from distill.values import kind_of_value, same
from distill.vocabulary import KINDS
from schema.records import Cardinality, Fact, Proposal, Slot, Standing

_SUFFIX = re.compile(r"(?<=\w{4})(?:ing|ers?|ors?|ion|s|e)$")
ALSO = Slot(PROJECT, USES + " also")


def align(proposals: Iterable[Proposal], current: Sequence[Fact]) -> tuple[Proposal, ...]:
    """Give each proposal the slot it means, in order of time; earlier ones count as known to later ones.

    One proposal may come back as two: a value filed beside others, and the end of the value it replaced.
    """
    held: Held = {
        (f.slot, _own(f.cardinality, f.value)): (f.value, f.cardinality) for f in current if f.current
    }
    aligned: list[Proposal] = []
    touched: dict[tuple[Slot, str], datetime] = {}
    for proposal in sorted(proposals, key=lambda p: p.valid_from):
        unread = proposal.doubt and not proposal.value
        for meant in understood(proposal, held, touched) if unread else _meant(proposal, held):
            aligned.append(meant)
            if meant.doubt:
                continue
            key = (meant.slot, _own(meant.cardinality, meant.value))
            touched[key] = meant.valid_from
            if meant.negated:
                held.pop(key, None)
            else:
                held[key] = (meant.value, meant.cardinality)
    return tuple(aligned)


def _own(cardinality: Cardinality, value: str) -> str:
    return value.lower() if cardinality is Cardinality.MANY else ""


def _meant(proposal: Proposal, held: Held) -> tuple[Proposal, ...]:
    if proposal.doubt:
        return (proposal,)
    if proposal.slot.attribute == RULE and proposal.negated:
        return (lifted(proposal, held),)
    if proposal.slot.attribute not in OPEN_ATTRIBUTES:
        return (proposal,)
    proposal = _in_slot(proposal, _same_name(proposal.slot, held))
    if proposal.negated:
        return (_ending(proposal, held),)
    if proposal.replaces and (slot_held := _holding(proposal, proposal.replaces, held)):
        return (_in_slot(proposal, *slot_held),)
    doubted = _doubted(proposal, held)
    if not proposal.stated:
        return (*_implied(proposal, held), *doubted)
    if proposal.slot.attribute == USES:
        return (_in_slot(proposal, _used_by(replace(proposal, slot=_chosen(proposal.slot)), held)), *doubted)
    return (_in_slot(proposal, _of_subject(proposal, held)), *doubted)


def _doubted(proposal: Proposal, held: Held) -> tuple[Proposal, ...]:
    """What the sentence may mean besides: another thing that holds the value it replaces. A person decides that."""
    if not proposal.replaces or (proposal.slot, "") in held:
        return ()
    found = [
        known
        for (known, own), (value, _) in held.items()
        if not own and same(value, proposal.replaces) and known.attribute in OPEN_ATTRIBUTES
    ]
    if len(found) != 1 or found[0].scope != proposal.slot.scope:
        return ()
    return (replace(_in_slot(proposal, found[0], Cardinality.ONE), standing=Standing.MODEL, doubt=True),)


def _in_slot(proposal: Proposal, meant: Slot, cardinality: Cardinality | None = None) -> Proposal:
    return replace(proposal, slot=meant, cardinality=cardinality or proposal.cardinality)


def _holding(proposal: Proposal, value: str, held: Held) -> tuple[Slot, Cardinality] | None:
    """The one slot that holds ``value`` and could be what the proposal speaks of."""
    found = [
        (slot_held, cardinality)
        for (slot_held, _), (known, cardinality) in held.items()
        if (same(known, value) or _ends_with(value, known))
        and (_compatible(proposal, slot_held) or (is_path(value) and known == value))
    ]
    functional = [pair for pair in found if pair[1] is Cardinality.ONE]
    exact = [pair for pair in functional if pair[0] == proposal.slot]
    if exact or len(functional) == 1:
        return (exact or functional)[0]
    return found[0] if len(found) == 1 and found[0][1] is Cardinality.MANY and proposal.negated else None


def _ends_with(named: str, known: str) -> bool:
    """ "The job scheduler Kestrel" names Kestrel."""
    return named.lower().endswith(" " + known.lower())


def _chosen(slot: Slot) -> Slot:
    """What a thing uses and what it is are one slot: "cache: Redis", "the cache runs on Redis"."""
    return replace(slot, attribute=CHOICE) if slot.attribute == USES else slot


def _same_name(slot: Slot, held: Held) -> Slot:
    """The held slot whose subject is the same word in another form: "error tracker", "error tracking"."""
    if (_chosen(slot), "") in held:
        return slot
    stems = _stems(slot.subject)
    for known, own in held:
        if (
            not own
            and known.scope == slot.scope
            and known.attribute == CHOICE
            and _stems(known.subject) == stems
        ):
            return replace(slot, subject=known.subject)
    return slot


def _stems(subject: str) -> tuple[str, ...]:
    return tuple(_SUFFIX.sub("", word) or word for word in subject.split())


def _compatible(proposal: Proposal, other: Slot) -> bool:
    subject = proposal.slot.subject
    if proposal.slot.scope != other.scope and proposal.slot.scope:
        return False
    if not proposal.stated or subject == PROJECT:
        return True
    return other.subject == subject or _begins(other.subject, subject) or _begins(subject, other.subject)


def _begins(longer: str, shorter: str) -> bool:
    """ "The frontend build" and "the frontend", not "the analytics database" and "the database"."""
    return longer.startswith(shorter + " ")


def _ending(proposal: Proposal, held: Held) -> Proposal:
    found = _holding(proposal, proposal.value, held) if proposal.value else None
    return _in_slot(proposal, *found) if found else _in_slot(proposal, _chosen(proposal.slot))


def _implied(proposal: Proposal, held: Held) -> tuple[Proposal, ...]:
    """A value without a role: the role it is known for while that slot is free, else beside the others."""
    if proposal.replaces == "" and (meant := left_out(proposal, held)):
        return (replace(_in_slot(proposal, meant[0]), standing=meant[1], cardinality=Cardinality.ONE),)
    known = held.get((proposal.slot, ""))
    has_role = proposal.slot.subject != PROJECT
    if has_role and (known is None or same(known[0], proposal.value) or proposal.replaces is not None):
        return (proposal,)
    filed = replace(proposal, slot=replace(ALSO, scope=proposal.slot.scope), cardinality=Cardinality.MANY)
    if not proposal.replaces:
        return (filed,)
    ended = replace(filed, value=proposal.replaces, negated=True, replaces=None)
    return (ended, filed)


def _used_by(proposal: Proposal, held: Held) -> Slot:
    """Which of a component's slots "X uses V" speaks of."""
    subject, kind = proposal.slot.subject, kind_of_value(proposal.value)
    about = _about(subject, held)
    typed = slot(kind, of=subject, scope=proposal.slot.scope) if kind else None
    if typed in about:
        return typed
    if proposal.replaces is not None and len(about) == 1:
        return about[0]
    if proposal.slot in about:
        known = kind_of_value(held[(proposal.slot, "")][0])
        if kind is None or known is None or kind == known or proposal.replaces is not None:
            return proposal.slot
    return typed or proposal.slot


def _about(subject: str, held: Held) -> list[Slot]:
    """The functional slots that say what ``subject`` uses."""
    return [
        known
        for (known, own) in held
        if not own
        and known.attribute in OPEN_ATTRIBUTES
        and (known.subject == subject or known.subject in {f"{subject} {kind}" for kind in KINDS})
    ]


def _of_subject(proposal: Proposal, held: Held) -> Slot:
    """The slot as stated, or the only one known of its subject where the stated one is empty."""
    if (proposal.slot, "") in held:
        return proposal.slot
    others = [
        known
        for (known, own), (value, _) in held.items()
        if not own
        and known.subject == proposal.slot.subject
        and known.scope == proposal.slot.scope
        and known.attribute in OPEN_ATTRIBUTES
        and _alike(value, proposal, known.attribute)
    ]
    return others[0] if len(others) == 1 else proposal.slot


def _alike(value: str, proposal: Proposal, attribute: str) -> bool:
    """Whether the proposal's value could stand where ``value`` stands: one kind, or an unknown one that
    replaces.
    """
    old, new = kind_of_value(value), kind_of_value(proposal.value)
    if old and new:
        return old == new
    return proposal.replaces is not None or (attribute != LANGUAGE and old is None and new is None)
