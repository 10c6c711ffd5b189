"""Items in the database: found by number, locked use case first, written together with their history."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from backlog.errors import NoSuchItem
from backlog.lifecycle import State
from backlog.numbers import parse
from schema.backlog import SELECT_ITEMS, Item, item_of
from schema.errors import DatabaseConflict
from schema.evidence import pointers_json

TRIES = 4  # how often a lock is taken anew because the item was moved to another use case meanwhile

_PLACE = text("""
    SELECT id::text, parent::text FROM items
    WHERE client = :client AND project = :project AND type = :type AND serial = :serial
""")
# Use cases first and then by id: whoever locks several takes them in this order, so nobody waits in a circle.
_LOCK = text("""
    SELECT id FROM items WHERE client = :client AND id = ANY(cast(:ids AS uuid[]))
    ORDER BY type <> 'US', id FOR UPDATE
""")


def find(connection: Connection, client: str, project: str, number: str) -> Item:
    """Return the item with this number. Raises NoSuchItem and NotANumber."""
    identifier, _ = _place(connection, client, project, number)
    return _read(connection, client, identifier)


def hold(connection: Connection, client: str, project: str, number: str, *, under: str = "") -> Item:
    """Lock an item after its use case (and after ``under``, the number of another one), and return it as it is now.

    Until the transaction ends nobody completes or reopens them, nor adds to them. Raises NoSuchItem, NotANumber.
    """
    also = [_place(connection, client, project, under)[0]] if under else []
    for _ in range(TRIES):
        identifier, parent = _place(connection, client, project, number)
        wanted = [identifier, *also, *([parent] if parent else [])]
        connection.execute(_LOCK, {"client": client, "ids": wanted})
        if _place(connection, client, project, number)[1] == parent:
            return _read(connection, client, identifier)
    raise DatabaseConflict(why=f"{number} was moved from use case to use case")


def open_children(connection: Connection, client: str, item: str) -> list[str]:
    """The numbers of a use case's items that are neither done nor archived, in order."""
    statement = text("""
        SELECT type || serial FROM items
        WHERE client = :client AND parent = :item AND state <> 'done' AND archived_at IS NULL
        ORDER BY position, type, serial
    """)
    return list(connection.scalars(statement, {"client": client, "item": item}))


def standing_children(connection: Connection, client: str, item: str) -> list[str]:
    """The numbers of a use case's items that are not archived, in order."""
    statement = text("""
        SELECT type || serial FROM items WHERE client = :client AND parent = :item AND archived_at IS NULL
        ORDER BY position, type, serial
    """)
    return list(connection.scalars(statement, {"client": client, "item": item}))


def insert(
    connection: Connection,
    client: str,
    item: Item,
    serial: int,
    parent: str | None,
    by: str,
    reason: str = "",
) -> None:
    """Write a new item at the end of its use case, with the first line of its history."""
    statement = text("""
        INSERT INTO items (client, id, project, type, serial, parent, title, text, state, position, version,
            created_at, updated_at, evidence)
        VALUES (:client, :id, :project, :type, :serial, cast(:parent AS uuid), :title, :text, :state,
            (SELECT coalesce(max(position), 0) + 1 FROM items
             WHERE client = :client AND project = :project AND parent IS NOT DISTINCT FROM cast(:parent AS uuid)),
            1, :created_at, :created_at, cast(:evidence AS jsonb))
    """)
    values = {
        "client": client,
        "id": item.id,
        "project": item.project,
        "type": item.type,
        "serial": serial,
        "parent": parent,
        "title": item.title,
        "text": item.text,
        "state": item.state,
        "created_at": item.created_at,
        "evidence": pointers_json(item.evidence),
    }
    connection.execute(statement, values)
    write_history(connection, client, item.id, 1, item.created_at, by, "created", {}, reason)


def update(
    connection: Connection,
    client: str,
    item: Item,
    changes: Mapping[str, Sequence[object]],
    at: datetime,
    by: str,
    action: str,
    *,
    values: Mapping[str, object],
    reason: str = "",
) -> Item:
    """Write ``values`` (by column) as the next version; ``changes`` is what the history keeps. The row is locked."""
    columns = ", ".join(f"{name} = :{name}" for name in values)
    statement = text(f"""
        UPDATE items SET {columns}{"," if columns else ""} version = version + 1, updated_at = :at
        WHERE client = :client AND id = :id
    """)  # noqa: S608 - names of columns of ours
    connection.execute(statement, {**values, "client": client, "id": item.id, "at": at})
    write_history(connection, client, item.id, item.version + 1, at, by, action, changes, reason)
    return _read(connection, client, item.id)


def write_history(
    connection: Connection,
    client: str,
    item: str,
    version: int,
    at: datetime,
    by: str,
    action: str,
    changes: Mapping[str, Sequence[object]],
    reason: str,
) -> None:
    """Append one line to an item's history."""
    connection.execute(
        text("""
            INSERT INTO item_history (client, item, version, at, by, action, changes, reason)
            VALUES (:client, :item, :version, :at, :by, :action, cast(:changes AS jsonb), :reason)
        """),
        {
            "client": client,
            "item": item,
            "version": version,
            "at": at,
            "by": by,
            "action": action,
            "changes": json.dumps({name: list(pair) for name, pair in changes.items()}),
            "reason": reason,
        },
    )


def place(connection: Connection, client: str, project: str, number: str, position: int) -> None:
    """Give an item its place in its use case; the use case's history tells of it."""
    identifier, _ = _place(connection, client, project, number)
    connection.execute(
        text("UPDATE items SET position = :position WHERE client = :client AND id = :id"),
        {"client": client, "id": identifier, "position": position},
    )


def state_of(item: Item) -> State:
    """The item's state as the table knows it."""
    return State(item.state)


def _place(connection: Connection, client: str, project: str, number: str) -> tuple[str, str | None]:
    kind, serial = parse(number)
    values: dict[str, Any] = {"client": client, "project": project, "type": kind, "serial": serial}
    row = connection.execute(_PLACE, values).first()
    if row is None:
        raise NoSuchItem(what="item", name=f"{kind}{serial}")
    return row.id, row.parent


def _read(connection: Connection, client: str, identifier: str) -> Item:
    statement = text(f"{SELECT_ITEMS} WHERE i.client = :client AND i.id = :id")
    row = connection.execute(statement, {"client": client, "id": identifier}).mappings().one()
    return item_of(row)
