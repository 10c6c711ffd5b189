"""The backlog as others read it: what is planned, in its order, and what was done.

``backlog`` alone writes; projections, recall and the server read through the functions here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, text

from schema.evidence import pointers
from schema.records import Evidence

USE_CASE = "US"
# The number that the first item of each type gets is one above.
RANGES = {"US": 1000, "FE": 2000, "BU": 3000, "TA": 4000, "PO": 5000, "RE": 6000}
# An item's life, in order; ``backlog.lifecycle`` says which way it may go.
STATES = ("open", "pending", "in-progress", "review", "done")
TYPE_NAMES = {
    "US": "use case",
    "FE": "feature",
    "BU": "bug",
    "TA": "task",
    "PO": "policy",
    "RE": "requirement",
}


@dataclass(frozen=True, slots=True)
class Item:
    """An approved piece of work. ``number`` ("BU3001") is its stable id, ``use_case`` the number it belongs to.

    ``state`` is open, pending, in-progress, review or done; ``version`` grows with every change; an archived one has
    ``archived_at`` and stands in no list unless asked for.
    """

    id: str
    project: str
    number: str
    type: str
    title: str
    text: str
    state: str
    use_case: str | None
    position: int
    version: int
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None
    archive_reason: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkEntry:
    """What was done, once: on ``item`` (a number) and on the use case it belonged to then.

    ``origin`` is person, agent or commit; ``score`` 0 to 100, ``seconds`` how long it took; ``commit`` a full hash
    where it is known.
    """

    id: str
    item: str
    use_case: str | None
    at: datetime
    by: str
    origin: str
    outcome: str
    tests: str = ""
    review: str = ""
    score: int | None = None
    seconds: int | None = None
    commit: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """What made one version of an item; ``changes`` is {field: [before, after]}."""

    version: int
    at: datetime
    by: str
    action: str
    changes: Mapping[str, Any]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class UseCase:
    """A use case with its items in their order, and what was done on any of them, oldest first."""

    item: Item
    children: tuple[Item, ...] = ()
    work: tuple[WorkEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Backlog:
    """Everything approved in a project; ``loose`` are items that belong to no use case, with ``work`` done on them."""

    use_cases: tuple[UseCase, ...] = ()
    loose: tuple[Item, ...] = ()
    work: tuple[WorkEntry, ...] = ()


SELECT_ITEMS = """
    SELECT i.id::text, i.project::text, i.type || i.serial AS number, i.type, i.title, i.text, i.state,
           p.type || p.serial AS use_case, i.position, i.version, i.created_at, i.updated_at, i.archived_at,
           i.archive_reason, i.evidence
    FROM items i LEFT JOIN items p ON p.client = i.client AND p.id = i.parent
"""
IN_ORDER = "ORDER BY i.type <> 'US', i.position, i.type, i.serial"
SELECT_WORK = """
    SELECT w.id::text, i.type || i.serial AS item, u.type || u.serial AS use_case, w.at, w.by, w.origin, w.outcome,
           w.tests, w.review, w.score, w.seconds, w.commit, w.session::text
    FROM work_log w
    JOIN items i ON i.client = w.client AND i.id = w.item
    LEFT JOIN items u ON u.client = w.client AND u.id = w.use_case
"""


def backlog(connection: Connection, client: str, project: str, *, archived: bool = False) -> Backlog:
    """Return a project's use cases in their order, each with its items in theirs and its work log.

    ``archived`` also gives what was archived. The same rows give the same answer, in the same order.
    """
    everything = items(connection, client, project, archived=archived)
    entries = work(connection, client, project)
    children: dict[str | None, list[Item]] = defaultdict(list)
    done: dict[str | None, list[WorkEntry]] = defaultdict(list)
    tops = [item for item in everything if item.type == USE_CASE]
    known = {item.number for item in tops}
    for item in everything:
        if item.type != USE_CASE:
            children[item.use_case if item.use_case in known else None].append(item)
    for entry in entries:
        of = entry.item if entry.item in known else entry.use_case
        done[of if of in known else None].append(entry)
    return Backlog(
        tuple(UseCase(top, tuple(children[top.number]), tuple(done[top.number])) for top in tops),
        tuple(children[None]),
        tuple(done[None]),
    )


def items(
    connection: Connection,
    client: str,
    project: str,
    *,
    types: Sequence[str] = (),
    states: Sequence[str] = (),
    use_case: str | None = None,
    archived: bool = False,
    limit: int | None = None,
    after: tuple[int, str, int] | None = None,
) -> list[Item]:
    """Return a project's items, use cases first, in their order; ``use_case`` ("US1001") gives its items alone.

    ``after`` is a place in that order (position, type, serial): what comes behind it.
    """
    statement = text(f"""{SELECT_ITEMS}
        WHERE i.client = :client AND i.project = :project
          AND (cast(:types AS text[]) = '{{}}' OR i.type = ANY(:types))
          AND (cast(:states AS text[]) = '{{}}' OR i.state = ANY(:states))
          AND (cast(:use_case AS text) IS NULL OR p.type || p.serial = :use_case)
          AND (:archived OR i.archived_at IS NULL)
          AND (cast(:after_type AS text) IS NULL OR (i.type <> 'US', i.position, i.type, i.serial)
               > (cast(:after_type AS text) <> 'US', :after_position, cast(:after_type AS text), :after_serial))
        {IN_ORDER} LIMIT :limit
    """)
    values = {
        "client": client,
        "project": project,
        "types": list(types),
        "states": list(states),
        "use_case": use_case,
        "archived": archived,
        "limit": limit,
        "after_position": after[0] if after else 0,
        "after_type": after[1] if after else None,
        "after_serial": after[2] if after else 0,
    }
    return [item_of(row) for row in connection.execute(statement, values).mappings()]


def work(connection: Connection, client: str, project: str, *, item: str | None = None) -> list[WorkEntry]:
    """Return what was done, oldest first; with ``item`` (an id) on it, and for a use case on what belonged to it."""
    statement = text(f"""{SELECT_WORK}
        WHERE w.client = :client AND w.project = :project
          AND (cast(:item AS uuid) IS NULL OR w.item = :item OR w.use_case = :item)
        ORDER BY w.at, w.id
    """)
    rows = connection.execute(statement, {"client": client, "project": project, "item": item})
    return [WorkEntry(**row) for row in rows.mappings()]


def family(connection: Connection, client: str, project: str, numbers: Collection[str]) -> list[Item]:
    """Return these items with their use cases and all that belongs to those, archived ones too, in their order."""
    named = """
        SELECT coalesce(parent, id) FROM items
        WHERE client = :client AND project = :project
          AND (type, serial) IN (SELECT * FROM unnest(cast(:types AS text[]), cast(:serials AS integer[])))
    """
    statement = text(f"""{SELECT_ITEMS}
        WHERE i.client = :client AND i.project = :project AND (i.id IN ({named}) OR i.parent IN ({named})) {IN_ORDER}
    """)
    values = {
        "client": client,
        "project": project,
        "types": [number[:2] for number in numbers],
        "serials": [int(number[2:]) for number in numbers],
    }
    return [item_of(row) for row in connection.execute(statement, values).mappings()]


def work_on(connection: Connection, client: str, project: str, ids: Collection[str]) -> list[WorkEntry]:
    """Return what was done on these items (ids), and on what belonged to them, oldest first."""
    statement = text(f"""{SELECT_WORK}
        WHERE w.client = :client AND w.project = :project
          AND (w.item = ANY(cast(:ids AS uuid[])) OR w.use_case = ANY(cast(:ids AS uuid[])))
        ORDER BY w.at, w.id
    """)
    rows = connection.execute(statement, {"client": client, "project": project, "ids": list(ids)})
    return [WorkEntry(**row) for row in rows.mappings()]


def hold_use_case(connection: Connection, client: str, project: str, number: str) -> None:
    """Let nobody else change a use case, nor what belongs to it, until the transaction ends; unknown ones hold nothing.

    Whoever changes an item locks its use case first.
    """
    statement = text("""
        SELECT id FROM items
        WHERE client = :client AND project = :project AND type = 'US' AND type || serial = :number FOR UPDATE
    """)
    connection.execute(statement, {"client": client, "project": project, "number": number})


def history(connection: Connection, client: str, item: str) -> list[HistoryEntry]:
    """Return how an item (an id) came to its version, oldest first."""
    statement = text("""
        SELECT version, at, by, action, changes, reason FROM item_history
        WHERE client = :client AND item = :item ORDER BY version
    """)
    rows = connection.execute(statement, {"client": client, "item": item})
    return [HistoryEntry(**row) for row in rows.mappings()]


def item_of(row: RowMapping) -> Item:
    """Return the item that a row of SELECT_ITEMS holds."""
    return Item(**{**row, "evidence": pointers(row["evidence"])})


def stamp(connection: Connection, client: str, project: str) -> tuple[Any, ...]:
    """Return what tells one state of a project's backlog from another, without reading it."""
    statement = text("""
        SELECT count(*), sum(version), max(updated_at), count(archived_at),
               (SELECT count(*) FROM work_log WHERE client = :client AND project = :project),
               (SELECT max(recorded_at) FROM work_log WHERE client = :client AND project = :project)
        FROM items WHERE client = :client AND project = :project
    """)
    return tuple(connection.execute(statement, {"client": client, "project": project}).one())
