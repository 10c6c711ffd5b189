"""Complete the calls whose outcome a hook could not know.

Calls that looked alike were merged while their outcomes were unknown. Once they are known, a call that failed and
one that passed are two observations, so each call moves to the window of what it turned out to be.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, text

from schema.ids import new_id
from workers import mirror
from workers.identity import Looks, call_key
from workers.incoming import Incoming
from workers.window import Windows

_CALLS = text("""
    SELECT l.entry, l.key, l.event_at, l.disposition, o.id::text AS row, o.received_at, o.project::text, o.agent,
           o.subagent, o.tool, o.server, o.target, o.shape, o.outcome, o.count
    FROM ledger l JOIN observations o ON o.client = l.client AND o.id = l.mirror
    WHERE l.client = :client AND l.key = ANY(:keys) AND l.disposition IN ('stored', 'merged')
      AND o.outcome = 'unknown'
    ORDER BY l.event_at, l.entry
""")


def complete(connection: Connection, client: str, event: Incoming) -> Counter[str]:
    """Apply an ``outcomes`` event; return how the counts of dispositions move. Known outcomes are never replaced."""
    told: dict[str, dict[str, Any]] = {}
    for call in event.body.get("calls") or ():
        if call.get("outcome") in ("ok", "failed") and call.get("call"):
            told[call_key(event.agent, event.session, event.subagent, str(call["call"]))] = call
    moved: Counter[str] = Counter()
    known = (
        connection.execute(_CALLS, {"client": client, "keys": list(told)}).mappings().all() if told else ()
    )
    for key in [row["key"] for row in known]:
        row = connection.execute(_CALLS, {"client": client, "keys": [key]}).mappings().one()
        moved.update(_move(connection, client, row, event.session, told[key]))
    return moved


def _move(
    connection: Connection, client: str, row: RowMapping, session: str | None, told: dict[str, Any]
) -> Counter[str]:
    """Take one call out of its unknown row and put it where its outcome belongs."""
    unknown = Looks(
        session=session,
        **{name: row[name] for name in ("project", "agent", "subagent", "tool", "server", "target", "shape")},
        outcome="unknown",
    )
    known = replace(unknown, outcome=told["outcome"]).fingerprint
    at: datetime = row["event_at"]
    held = mirror.windows(connection, client, [known], at, at).get(known, Windows())
    window = held.find(at)
    values = {
        "client": client,
        "entry": row["entry"],
        "old": row["row"],
        "received_at": row["received_at"],
        "outcome": told["outcome"],
        "exit": told.get("exit"),
        "at": at,
        "new": new_id(int(at.timestamp() * 1000)) if window is None else window.observation,
    }
    if window is None:
        window = held.open(at, values["new"])
        connection.execute(_COPY, values)
        connection.execute(
            _WINDOW, values | {"fingerprint": known, "span": mirror.span(window.start, window.end)}
        )
        disposition = "stored"
    else:
        mirror.merge_into(connection, client, [mirror.Merged(window, 1, at)])
        disposition = "merged"
    connection.execute(_LEDGER, values | {"disposition": disposition})
    moved = Counter({disposition: 1})
    moved.update({row["disposition"]: -1})
    if row["disposition"] == "stored" and (next_ := connection.execute(_PROMOTE, values).mappings().first()):
        connection.execute(_STANDS, values | dict(next_))
        moved.update({"stored": 1, "merged": -1})
    connection.execute(_LEAVE, values)
    connection.execute(_EMPTY, values)
    connection.execute(_CLOSED, values)
    return moved


_COPY = text("""
    INSERT INTO observations (client, id, received_at, project, session, event_id, origin, origin_version, at, clock,
                              agent, turn, call, subagent, subagent_type, tool, server, target, shape, outcome,
                              exit_code, ms, files, count, last_at)
    SELECT o.client, :new, o.received_at, o.project, o.session, coalesce(l.event_id, o.event_id), o.origin,
           o.origin_version, :at, o.clock, o.agent, o.turn, split_part(l.key, '|', 5), o.subagent, o.subagent_type,
           o.tool, o.server, o.target, o.shape, :outcome, :exit, o.ms, o.files, 1, :at
    FROM observations o JOIN ledger l ON l.client = o.client AND l.entry = :entry
    WHERE o.client = :client AND o.id = :old AND o.received_at = :received_at
""")
_WINDOW = text("""
    INSERT INTO windows (client, observation, fingerprint, span, received_at)
    VALUES (:client, :new, :fingerprint, cast(:span AS tstzrange), :received_at)
""")
_LEDGER = text("""
    UPDATE ledger SET mirror = :new, disposition = :disposition WHERE client = :client AND entry = :entry
""")
# The row's first call has left it: the earliest of those that stay stands for it now.
_PROMOTE = text("""
    UPDATE ledger SET disposition = 'stored'
    WHERE client = :client AND entry = (
        SELECT entry FROM ledger WHERE client = :client AND mirror = :old AND disposition = 'merged'
        ORDER BY event_at, entry LIMIT 1)
    RETURNING event_at AS first_at, split_part(key, '|', 5) AS first_call
""")
_STANDS = text("""
    UPDATE observations SET at = :first_at, call = :first_call
    WHERE client = :client AND id = :old AND received_at = :received_at
""")
_LEAVE = text("""
    UPDATE observations SET count = count - 1 WHERE client = :client AND id = :old AND received_at = :received_at
""")
_EMPTY = text("""
    DELETE FROM observations WHERE client = :client AND id = :old AND received_at = :received_at AND count = 0
""")
_CLOSED = text("""
    DELETE FROM windows w WHERE w.client = :client AND w.observation = :old AND NOT EXISTS (
        SELECT FROM observations o WHERE o.client = w.client AND o.id = w.observation)
""")
