"""The ledger of model calls: reserve before a call, settle after it, never past a cap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Connection, text

from distill.spend import Caps, Ceiling, Usage, cost, dollars
from schema.database import Database
from schema.ids import new_id
from schema.model import SpendCapReached


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Reservation:
    """A call that may be made now; ``settle``, ``release`` or ``unknown`` ends it."""

    id: str
    client: str
    day: str
    session: str
    model: str
    ceiling: Ceiling


@dataclass(frozen=True, slots=True)
class Ledger:
    """What is spent, per client. A reservation whose process died stays counted: a crash can only cost
    less.
    """

    database: Database
    caps: Caps
    clock: Callable[[], datetime] = _now

    def reserve(self, client: str, project: str, session: str, model: str, ceiling: Ceiling) -> Reservation:
        """Take ``ceiling`` out of what is left of the day and the session, or raise SpendCapReached."""
        now = self.clock()
        reservation = Reservation(new_id(), client, f"day:{now.date()}", f"session:{session}", model, ceiling)
        caps = self.caps
        with self.database.tenant(client) as connection:
            for scope, money, tokens, calls, names in (
                (reservation.day, caps.daily_microusd, caps.daily_tokens, 1 << 40, ("daily", "daily_usd")),
                (
                    reservation.session,
                    caps.session_microusd,
                    caps.session_tokens,
                    caps.session_calls,
                    ("session's", "session_usd"),
                ),
            ):
                _take(connection, client, scope, ceiling, money, tokens, calls, names)
            connection.execute(
                text("""
                    INSERT INTO model_calls (client, id, project, session, day, model, state, reserved_microusd,
                        reserved_tokens, started_at)
                    VALUES (:client, :id, :project, :session, :day, :model, 'reserved', :microusd, :tokens, :now)
                """),
                {
                    "client": client,
                    "id": reservation.id,
                    "project": project,
                    "session": session,
                    "day": now.date(),
                    "model": model,
                    "microusd": ceiling.microusd,
                    "tokens": ceiling.tokens,
                    "now": now,
                },
            )
        return reservation

    def settle(self, reservation: Reservation, usage: Usage, outcome: str) -> None:
        """Replace the reserved amount by what the call cost."""
        self._end(reservation, "settled", usage, cost(reservation.model, usage), outcome)

    def release(self, reservation: Reservation, outcome: str) -> None:
        """Give the amount back: the provider refused the request before it did any work. The call stays
        counted.
        """
        self._end(reservation, "released", Usage(), 0, outcome)

    def unknown(self, reservation: Reservation, outcome: str) -> None:
        """Keep the whole amount: the call may have been made and charged, nobody can tell."""
        ceiling = reservation.ceiling
        self._end(reservation, "unknown", Usage(input=ceiling.tokens), ceiling.microusd, outcome)

    def _end(self, reservation: Reservation, state: str, usage: Usage, microusd: int, outcome: str) -> None:
        with self.database.tenant(reservation.client) as connection:
            ended = connection.execute(
                text("""
                    UPDATE model_calls SET state = :state, microusd = :microusd, input_tokens = :input,
                        output_tokens = :output, cache_read_tokens = :cache_read, cache_write_tokens = :cache_write,
                        outcome = :outcome, settled_at = :now
                    WHERE client = :client AND id = :id AND state = 'reserved'
                """),
                {
                    "client": reservation.client,
                    "id": reservation.id,
                    "state": state,
                    "microusd": microusd,
                    "input": usage.input,
                    "output": usage.output,
                    "cache_read": usage.cache_read,
                    "cache_write": usage.cache_write,
                    "outcome": outcome[:200],
                    "now": self.clock(),
                },
            )
            if ended.rowcount != 1:
                return
            connection.execute(
                text("""
                    UPDATE spend_totals SET microusd = microusd + :microusd, tokens = tokens + :tokens
                    WHERE client = :client AND scope = ANY(:scopes)
                """),
                {
                    "client": reservation.client,
                    "scopes": [reservation.day, reservation.session],
                    "microusd": microusd - reservation.ceiling.microusd,
                    "tokens": usage.tokens - reservation.ceiling.tokens,
                },
            )


def _take(
    connection: Connection,
    client: str,
    scope: str,
    ceiling: Ceiling,
    money: int,
    tokens: int,
    calls: int,
    names: tuple[str, str],
) -> None:
    """Move a scope's totals if they stay within the caps: one statement, so nobody can come between."""
    values = {"client": client, "scope": scope, "microusd": ceiling.microusd, "tokens": ceiling.tokens}
    connection.execute(
        text("INSERT INTO spend_totals (client, scope) VALUES (:client, :scope) ON CONFLICT DO NOTHING"),
        values,
    )
    taken = connection.execute(
        text("""
            UPDATE spend_totals
            SET microusd = microusd + :microusd, tokens = tokens + :tokens, calls = calls + 1
            WHERE client = :client AND scope = :scope AND microusd + :microusd <= :money
              AND tokens + :tokens <= :most_tokens AND calls < :most_calls
        """),
        {**values, "money": money, "most_tokens": tokens, "most_calls": calls},
    )
    if taken.rowcount == 1:
        return
    row = connection.execute(
        text("SELECT microusd, tokens, calls FROM spend_totals WHERE client = :client AND scope = :scope"),
        values,
    ).one()
    which, setting = names
    spent, cap = dollars(row.microusd), dollars(money)
    if row.microusd + ceiling.microusd <= money:
        spent, cap = f"{row.tokens} tokens in {row.calls} calls", f"{tokens} tokens and {calls} calls"
    raise SpendCapReached(which=which, spent=spent, cap=cap, setting=setting)


def by_day(connection: Connection, client: str, *, days: int = 30) -> list[dict[str, Any]]:
    """Calls, tokens and micro-dollars of each day and model, newest first; open reservations apart."""
    statement = text("""
        SELECT day, model, count(*) AS calls,
               sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint AS input,
               sum(output_tokens)::bigint AS output, sum(microusd)::bigint AS microusd,
               sum(CASE WHEN state = 'reserved' THEN reserved_microusd ELSE 0 END)::bigint AS reserved,
               count(*) FILTER (WHERE state = 'released') AS refused, count(*) FILTER (WHERE state = 'unknown') AS lost
        FROM model_calls WHERE client = :client GROUP BY day, model ORDER BY day DESC, model LIMIT :days
    """)
    return [dict(row) for row in connection.execute(statement, {"client": client, "days": days}).mappings()]


def by_session(connection: Connection, client: str, *, limit: int = 20) -> list[dict[str, Any]]:
    """Calls and cost of the sessions that were distilled last."""
    statement = text("""
        SELECT c.session::text, p.name AS project, count(*) AS calls, sum(c.microusd)::bigint AS microusd,
               sum(c.input_tokens + c.cache_read_tokens + c.cache_write_tokens + c.output_tokens)::bigint AS tokens,
               max(c.started_at) AS last_at
        FROM model_calls c JOIN projects p ON p.client = c.client AND p.project = c.project
        WHERE c.client = :client GROUP BY c.session, p.name ORDER BY max(c.started_at) DESC LIMIT :limit
    """)
    return [dict(row) for row in connection.execute(statement, {"client": client, "limit": limit}).mappings()]


def spent_on(connection: Connection, client: str, day: date) -> int:
    """Micro-dollars reserved and spent on ``day``: what the daily cap is held against."""
    statement = text("SELECT microusd FROM spend_totals WHERE client = :client AND scope = :scope")
    return connection.scalar(statement, {"client": client, "scope": f"day:{day}"}) or 0
