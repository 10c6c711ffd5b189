"""What a commit's files no longer name, against what was only said: "the database is Postgres" without its driver."""

from __future__ import annotations

from collections.abc import Sequence

from distill.slots import LANGUAGE, RULE
from distill.support import names
from schema.records import Cardinality, Fact, Proposal, Standing

_OF_OTHER_FILES = {LANGUAGE, RULE}  # a package named like a language says nothing of it


def missed(proven: Sequence[Proposal], current: Sequence[Fact]) -> tuple[Proposal, ...]:
    """Return a doubt of each fact that somebody stated and whose value, or a package used with it alone, the files
    named until the commit that gave ``proven``, and name no longer.

    ``current`` are the facts before it.
    """
    ended = [p for p in proven if p.negated]
    gone = {(p.slot, p.value) for p in ended}
    kept = [f.value for f in current if f.standing is Standing.CODE and (f.slot, f.value) not in gone]
    kept += [p.value for p in proven if not p.negated]
    found = []
    for fact in current:
        said = fact.current and fact.standing is not Standing.CODE and fact.cardinality is Cardinality.ONE
        if not (ended and said) or fact.slot.attribute in _OF_OTHER_FILES:
            continue
        last = next((p for p in ended if names(fact.value, p.value)), None)
        if last is not None and not any(names(fact.value, value) for value in kept):
            found.append(_doubt(fact, last))
    return tuple(found)


def _doubt(fact: Fact, ended: Proposal) -> Proposal:
    return Proposal(
        slot=fact.slot,
        cardinality=fact.cardinality,
        kind=fact.kind,
        value=fact.value,
        statement=f"{ended.value}: {ended.statement}",
        standing=Standing.CODE,
        valid_from=ended.valid_from,
        evidence=ended.evidence,
        negated=True,
        doubt=True,
    )
