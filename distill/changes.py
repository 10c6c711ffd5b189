"""A person's change to facts: find what is meant, decide purely, append. One transaction each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection

from distill import corrections
from distill.resolve import Resolution
from distill.store import doubts as doubt_store
from distill.store import facts as fact_store
from distill.store import flags as flag_store
from distill.store.flags import Flag
from schema.records import Fact

Decide = Callable[[Fact], Resolution]


def retire(connection: Connection, client: str, fact: str, by: str, reason: str, now: datetime) -> Fact:
    """Close a current fact; it stays in history. Raises NoSuchFact, ManyFacts and NotCurrent."""
    return _change(connection, client, fact, lambda known: corrections.retire(known, by, reason, now), now)


def restore(connection: Connection, client: str, fact: str, by: str, now: datetime) -> Fact:
    """Undo whatever ended a fact, so that the current view is as it was. Raises also StillCurrent and
    SlotTaken.
    """
    project, known = fact_store.find(connection, client, fact)
    fact_store.hold(connection, client, project)
    lane = fact_store.believed(connection, client, project, [known.slot])
    lives = fact_store.lives(connection, client, known.id)
    change = corrections.restore(known, lives, lane, by, now)
    fact_store.apply(connection, client, project, change)
    return fact_store.find(connection, client, known.id)[1]


def confirm(connection: Connection, client: str, fact: str, by: str, now: datetime) -> Fact:
    """Add a person's word to a current fact, which ends every doubt of it.

    Raises NoSuchFact, ManyFacts and NotCurrent.
    """
    return _change(connection, client, fact, lambda known: corrections.confirm(known, by, now), now, by)


def pin(connection: Connection, client: str, fact: str, pinned: bool, now: datetime) -> Fact:
    """Pin or unpin a current fact. Raises NoSuchFact, ManyFacts and NotCurrent."""
    return _change(connection, client, fact, lambda known: corrections.pin(known, pinned, now), now)


def edit(
    connection: Connection, client: str, fact: str, by: str, now: datetime, *, statement: str, value: str
) -> Fact:
    """Reword a current fact or correct its value. Raises also EmptyText."""
    return _change(
        connection,
        client,
        fact,
        lambda known: corrections.edit(known, by, now, statement=statement, value=value),
        now,
        by,
    )


def decide(connection: Connection, client: str, flag: str, by: str, now: datetime, *, accepted: bool) -> Flag:
    """Accept or reject an open flag; who and when is kept. Raises NoSuchFlag, and NotCurrent where the
    fact is gone.
    """
    taken = flag_store.take(connection, client, flag, "accepted" if accepted else "rejected", by, now)
    if accepted:
        proposal = taken.proposal
        _change(
            connection, client, taken.fact, lambda known: corrections.accept(known, proposal, by, now), now
        )
    return taken


def _change(
    connection: Connection, client: str, fact: str, decision: Decide, now: datetime, by: str | None = None
) -> Fact:
    """Decide on a fact and write it; with ``by`` somebody stands by it, and no doubt is left."""
    project, known = fact_store.find(connection, client, fact)
    fact_store.hold(connection, client, project)
    known = fact_store.find(connection, client, known.id)[1]
    change = decision(known)
    fact_store.apply(connection, client, project, change)
    if by is not None:
        doubt_store.lift(connection, client, known.id, by, now)
    flag_store.settle(connection, client, project, change.appends)
    doubt_store.settle(connection, client, change.appends, now)
    return fact_store.find(connection, client, known.id)[1]
