"""What becomes of facts that a commit gave which was rewritten since (amended, rebased). Pure.

What the commit that took its place states as well moves over to it. The rest never held: it was said or proven only
by a commit that is no more, so what it had replaced stands again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from distill.code.proof import states
from distill.resolve import Resolution, next_version
from distill.values import additive_key, value_key
from schema.records import Cardinality, Commit, Evidence, Fact


def moved(believed: Sequence[Fact], successors: Mapping[str, Commit], now: datetime) -> Resolution:
    """Return what changes among ``believed``; ``successors`` maps a rewritten commit's hash to what replaced it."""
    facts = {fact.id: fact for fact in believed}
    for fact in believed:
        old = [e for e in fact.evidence if e.commit in successors]
        if not old or fact.valid_to == fact.valid_from:
            continue
        again = [found for e in old if (found := _again(fact, e, successors[e.commit or ""]))]
        proof = [*(e for e in fact.evidence if e not in old), *(e for e, _ in again)]
        if proof:
            evidence = tuple(sorted({e.id: e for e in proof}.values(), key=lambda e: (e.at, e.id)))
            wording = again[-1][1] if again else fact.statement
            facts[fact.id] = replace(facts[fact.id], evidence=evidence, statement=wording)
        elif not fact.pinned:
            _withdraw(facts, fact.id, old[0].commit or "")
    changed = [(before, facts[before.id]) for before in believed if facts[before.id] != before]
    closes = tuple(before.version for before, _ in changed)
    return Resolution((), closes, tuple(next_version(after, now) for _, after in changed))


def _again(fact: Fact, old: Evidence, commit: Commit) -> tuple[Evidence, str] | None:
    """The new commit as evidence, with its wording, where its files state the fact too."""
    key = additive_key if fact.cardinality is Cardinality.MANY else value_key
    for proposal in states(commit) if fact.files else ():
        if proposal.slot == fact.slot and key(proposal.value) == key(fact.value):
            return replace(proposal.evidence[0], session=old.session), proposal.statement
    return None


def _withdraw(facts: dict[str, Fact], identifier: str, sha: str) -> None:
    gone = facts[identifier]
    reason = f"commit {sha[:10]}, which gave it, was rewritten"
    facts[identifier] = replace(gone, valid_to=gone.valid_from, superseded_by=None, reason=reason)
    for other in list(facts.values()):
        if other.superseded_by == identifier and other.valid_to == gone.valid_from:
            facts[other.id] = replace(
                other,
                valid_to=gone.valid_to,
                superseded_by=gone.superseded_by,
                reason=gone.reason if gone.superseded_by else reason,
            )
