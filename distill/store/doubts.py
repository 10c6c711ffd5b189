"""The end of doubts: what was said again since, what ended, and what a person stands by."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, text

from schema.records import Fact

_ANSWERED = text("""
    UPDATE fact_flags SET state = 'rejected', decided_at = :at, decided_by = :by
    WHERE client = :client AND fact = :fact AND state = 'open' AND proposal ->> 'doubt' = 'true'
      AND cast(proposal ->> 'valid_from' AS timestamptz) < :at
""")
STATED_AGAIN, ENDED = "a later statement", "the end of the fact"


def settle(connection: Connection, client: str, believed: Iterable[Fact], now: datetime) -> int:
    """Answer the doubts of facts that were stated again since, or hold no longer; return how many."""
    settled = 0
    for fact in believed:
        last = max((evidence.at for evidence in fact.evidence), default=fact.valid_from)
        at, by = (last, STATED_AGAIN) if fact.current else (max(now, last), ENDED)
        settled += _answer(connection, client, fact.id, by, at)
    return settled


def lift(connection: Connection, client: str, fact: str, by: str, now: datetime) -> int:
    """Answer every doubt of ``fact``: a person stands by it. Return how many there were."""
    return _answer(connection, client, fact, by, now)


def _answer(connection: Connection, client: str, fact: str, by: str, at: datetime) -> int:
    values = {"client": client, "fact": fact, "by": by, "at": at}
    return connection.execute(_ANSWERED, values).rowcount
