"""Flags: proposals that code would not decide, and a person's decision on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, text

from distill.errors import NoSuchFlag
from distill.identity import short_key
from distill.resolve import Action
from distill.store.rows import proposal_json, proposal_of
from distill.values import same, value_key
from schema.ids import new_id
from schema.records import Cardinality, Fact, Proposal


@dataclass(frozen=True, slots=True)
class Flag:
    """One proposal that waits, with the fact it speaks against."""

    id: str
    project: str
    fact: str
    statement: str
    proposal: Proposal
    reason: str
    state: str
    flagged_at: datetime
    decided_at: datetime | None
    decided_by: str | None


def raise_flags(
    connection: Connection, client: str, project: str, actions: Iterable[Action], now: datetime
) -> int:
    """Keep each flagged proposal once; one that was decided comes back only with newer evidence.

    Returns how many are open that were not before.
    """
    statement = text("""
        INSERT INTO fact_flags AS known (client, id, project, fact, key, proposal, reason, flagged_at)
        VALUES (:client, :id, :project, :fact, :key, cast(:proposal AS jsonb), :reason, :now)
        ON CONFLICT (client, fact, key) DO UPDATE
        SET state = 'open', proposal = excluded.proposal, reason = excluded.reason, flagged_at = excluded.flagged_at,
            decided_at = NULL, decided_by = NULL
        WHERE known.state <> 'open' AND known.decided_at < :spoken
    """)
    raised = 0
    for action in actions:
        if action.target is None:
            continue
        proposal = action.proposal
        values = {
            "client": client,
            "id": new_id(),
            "project": project,
            "fact": action.target.id,
            "key": short_key("flag", value_key(proposal.value), str(proposal.negated)),
            "proposal": proposal_json(proposal),
            "reason": action.reason,
            "now": now,
            "spoken": proposal.valid_from,
        }
        raised += connection.execute(statement, values).rowcount
    return raised


def settle(connection: Connection, client: str, project: str, believed: Iterable[Fact]) -> int:
    """Take back the open flags that ask for what stands by now; return how many: there is nothing to decide."""
    stands = {f.slot: f.value for f in believed if f.current and f.cardinality is Cardinality.ONE}
    waiting = listed(connection, client, project) if stands else []
    settled = [
        flag.id
        for flag in waiting
        if not flag.proposal.negated and same(stands.get(flag.proposal.slot, ""), flag.proposal.value)
    ]
    if settled:
        statement = text("DELETE FROM fact_flags WHERE client = :client AND id = ANY(cast(:ids AS uuid[]))")
        connection.execute(statement, {"client": client, "ids": settled})
    return len(settled)


def listed(
    connection: Connection, client: str, project: str | None = None, *, state: str = "open"
) -> list[Flag]:
    """Return the flags in ``state``, oldest first."""
    statement = text(_SELECT + " AND f.state = :state ORDER BY f.flagged_at, f.id")
    rows = connection.execute(statement, {"client": client, "project": project, "state": state}).mappings()
    return [_flag(row) for row in rows]


def take(connection: Connection, client: str, identifier: str, state: str, by: str, now: datetime) -> Flag:
    """Decide one open flag by its id or the beginning of it. Raises NoSuchFlag, also where it was decided
    meanwhile.
    """
    statement = text(_SELECT + " AND f.state = 'open' AND f.id::text LIKE :prefix LIMIT 2")
    prefix = "".join(c for c in identifier.lower() if c in "0123456789abcdef-")
    values = {"client": client, "project": None, "prefix": prefix + "%"}
    rows = list(connection.execute(statement, values).mappings()) if prefix else []
    if len(rows) != 1:
        raise NoSuchFlag(flag=identifier)
    decided = connection.execute(
        text("""
            UPDATE fact_flags SET state = :state, decided_at = :now, decided_by = :by
            WHERE client = :client AND id = :id AND state = 'open'
        """),
        {"client": client, "id": rows[0]["id"], "state": state, "now": now, "by": by},
    )
    if decided.rowcount != 1:
        raise NoSuchFlag(flag=identifier)
    return _flag(rows[0], state=state, decided_at=now, decided_by=by)


_SELECT = """
    SELECT f.id::text, f.project::text, f.fact::text, v.statement, f.proposal, f.reason, f.state, f.flagged_at,
           f.decided_at, f.decided_by
    FROM fact_flags f
    JOIN fact_versions v ON v.client = f.client AND v.fact = f.fact AND v.retired_at IS NULL
    WHERE f.client = :client AND (cast(:project AS uuid) IS NULL OR f.project = :project)
"""


def _flag(row: RowMapping, **decided: Any) -> Flag:
    return Flag(**{**row, "proposal": proposal_of(row["proposal"]), **decided})
