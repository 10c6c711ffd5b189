"""The slot of a sentence that names none, from what its own text said before: "X got slow. So we moved to Y."

Only what stands is looked for in it, and only where one fact fits. Where the sentence before is about the value that
stands, that value is meant; where it is only mentioned, it may be: then a person decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from distill.slots import CHOICE, LANGUAGE, PROJECT, RULE, USES
from distill.values import kind_of_value, same, value_key
from schema.records import Cardinality, Proposal, Slot, Standing

OPEN_ATTRIBUTES = {CHOICE, USES, LANGUAGE}
_LEAD = r"(?:^|[.!?;:\n]\s*|,\s+(?:and|but|so)\s+)(?:(?:about|on|re) [\w -]{2,40}: )?(?:our |the )?"
_VERB = (
    r"(?:'s|'d)?\s+(?:is|was|has|had|got|went|kept|keeps|goes|gets|didn't|doesn't|isn't|wasn't|can't|cannot|won't|never|"
    r"\w+ed|\w+s)\b"
)
_COMMON = {
    "the",
    "a",
    "an",
    "rule",
    "convention",
    "old",
    "our",
    "that",
    "about",
    "on",
    "for",
    "of",
    "in",
    "is",
    "are",
}
_ENOUGH = 2

Held = dict[tuple[Slot, str], tuple[str, Cardinality]]


def left_out(proposal: Proposal, held: Held) -> tuple[Slot, Standing] | None:
    """Return the slot that a sentence without one speaks of, and the standing it may be taken with there; None where
    nothing or more than one fits.
    """
    named = {
        slot: value
        for slot, value in _functional(held)
        if slot.attribute in OPEN_ATTRIBUTES
        and not same(value, proposal.value)
        and slot.scope == proposal.slot.scope
        and _may_follow(proposal.value, value)
        and _mentions(proposal.told, value)
    }
    about = {slot for slot, value in named.items() if _is_about(proposal.told, value)}
    if len(about) == 1:
        return about.pop(), proposal.standing
    return (next(iter(named)), Standing.MODEL) if len(named) == 1 else None


def lifted(proposal: Proposal, held: Held) -> Proposal:
    """The end of a rule, in the slot of the one rule it speaks of: "the default export rule is gone"."""
    mine = _stems(proposal.slot.subject)
    rules = [slot for slot, _ in _functional(held) if slot.attribute == RULE and mine <= _stems(slot.subject)]
    if len(mine) < _ENOUGH or len(rules) != 1:
        return proposal
    return replace(proposal, slot=rules[0], value=dict(_functional(held))[rules[0]])


def _functional(held: Held) -> Iterable[tuple[Slot, str]]:
    return [(slot, value) for (slot, own), (value, _) in held.items() if not own]


def _may_follow(new: str, old: str) -> bool:
    """Whether the one could stand where the other stands: of two known technologies, only of one kind."""
    mine, other = kind_of_value(new), kind_of_value(old)
    return mine is None or other is None or mine == other


def _mentions(text: str, value: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text, re.IGNORECASE))


def _is_about(text: str, value: str) -> bool:
    """Whether a sentence of ``text`` begins with ``value`` and says something of it."""
    return bool(re.search(rf"{_LEAD}{re.escape(value)}{_VERB}", text, re.IGNORECASE))


def _stems(words: str) -> set[str]:
    return {re.sub(r"s$", "", value_key(word)) for word in words.split()} - _COMMON - {PROJECT}
