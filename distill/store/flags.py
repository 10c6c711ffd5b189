"""Flags: proposals that code would not decide, and a person's decision on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, RowMapping, text

from distill.errors import NoSuchFlag
from distill.identity import short_key
from distill.resolve import Action
from distill.store.rows import proposal_json, proposal_of
from distill.values import same, value_key
from schema.ids import new_id, reach
from schema.records import Cardinality, Fact, Proposal
from schema.scope import Scope


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
            "key": short_key(
                "doubt" if proposal.doubt else "flag", value_key(proposal.value), str(proposal.negated)
            ),
            "proposal": proposal_json(proposal),
            "reason": action.reason,
            "now": now,
            "spoken": proposal.valid_from,
        }
        new = connection.execute(statement, values).rowcount
        if new and proposal.doubt:
            connection.execute(_MARK, values)
        raised += new
    return raised


def settle(connection: Connection, client: str, project: str, believed: Iterable[Fact]) -> int:
    """Take back the open flags that ask for what stands by now; return how many: there is nothing to decide."""
    stands = {f.slot: f.value for f in believed if f.current and f.cardinality is Cardinality.ONE}
    if not stands:
        return 0
    scope = Scope(client, (project,))
    about = scope.values | {"subjects": [slot.subject for slot in stands]}
    statement = text(_SELECT.format(scope=scope.where("f")) + _IN_SLOTS)
    waiting = [_flag(row) for row in connection.execute(statement, about).mappings()]
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
    connection: Connection,
    scope: Scope,
    *,
    state: str = "open",
    fact: str | None = None,
    after: tuple[datetime, str] | None = None,
    limit: int = 1000,
) -> list[Flag]:
    """Return the flags in ``state``, oldest first, of one ``fact`` where it is given.

    ``after`` is the (flagged_at, id) of the page before.
    """
    statement = text(_SELECT.format(scope=scope.where("f")) + _PAGE)
    place = {"after_at": after[0] if after else None, "after_id": after[1] if after else None}
    values = scope.values | place | {"state": state, "fact": fact, "limit": limit}
    return [_flag(row) for row in connection.execute(statement, values).mappings()]


def one(connection: Connection, scope: Scope, identifier: str) -> Flag:
    """Return one flag in any state by its id or the beginning of it. Raises NoSuchFlag."""
    ends = reach(identifier)
    if ends is None:
        raise NoSuchFlag(flag=identifier)
    statement = text(_SELECT.format(scope=scope.where("f")) + _NAMED + " LIMIT 2")
    rows = list(connection.execute(statement, scope.values | {"low": ends[0], "high": ends[1]}).mappings())
    if len(rows) != 1:
        raise NoSuchFlag(flag=identifier)
    return _flag(rows[0])


def take(connection: Connection, client: str, identifier: str, state: str, by: str, now: datetime) -> Flag:
    """Decide one open flag by its id or the beginning of it. Raises NoSuchFlag, also where it was decided
    meanwhile.
    """
    flag = one(connection, Scope(client), identifier)
    decided = connection.execute(
        text("""
            UPDATE fact_flags SET state = :state, decided_at = :now, decided_by = :by
            WHERE client = :client AND id = :id AND state = 'open'
        """),
        {"client": client, "id": flag.id, "state": state, "now": now, "by": by},
    )
    if decided.rowcount != 1:
        raise NoSuchFlag(flag=identifier)
    if flag.proposal.doubt:
        connection.execute(_MARK, {"client": client, "project": flag.project})
    return replace(flag, state=state, decided_at=now, decided_by=by)


# A doubt stands beside its fact in briefs, though no version of the fact changes: they are made anew by this mark.
_MARK = text("INSERT INTO bundle_marks (client, project) VALUES (:client, :project)")
_SELECT = """
    SELECT f.id::text, f.project::text, f.fact::text, v.statement, f.proposal, f.reason, f.state, f.flagged_at,
           f.decided_at, f.decided_by
    FROM fact_flags f
    JOIN fact_versions v ON v.client = f.client AND v.fact = f.fact AND v.retired_at IS NULL
    WHERE {scope}
"""
_NAMED = " AND f.id BETWEEN cast(:low AS uuid) AND cast(:high AS uuid)"
_PAGE = """
    AND f.state = :state AND (cast(:fact AS uuid) IS NULL OR f.fact = :fact)
    AND (cast(:after_at AS timestamptz) IS NULL OR (f.flagged_at, f.id) > (:after_at, cast(:after_id AS uuid)))
    ORDER BY f.flagged_at, f.id LIMIT :limit
"""
_IN_SLOTS = " AND f.state = 'open' AND f.proposal ->> 'subject' = ANY(:subjects)"


def _flag(row: RowMapping) -> Flag:
    return Flag(**{**row, "proposal": proposal_of(row["proposal"])})
