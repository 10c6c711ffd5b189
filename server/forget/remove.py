"""Counting what a selection comes to, and removing it: the same list of statements, so that the counts are equal."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Table, and_, delete, func, insert, select, text, tuple_, update

from recall import again, index
from schema.tables import metadata
from server.forget.places import APPENDED, COUNTERS, LEDGER, QUARANTINE, UNITS, WHOLE, searched
from server.forget.selection import Selection
from server.forget.words import Words

AT_ONCE = 2000
REASON = "It was forgotten on request."
OF_UNITS = ("search_files", "search_vectors")  # they go with their unit

_KINDS = text("""
    SELECT kind, array_agg(ref) AS refs FROM search_units WHERE client = :client AND unit = ANY(:units)
    GROUP BY kind ORDER BY kind
""")
# A line of the ledger stays, so that the sums do; it says when its content went.
_COUNT_EVENTS = text("""
    SELECT count(*) FROM ledger WHERE client = :client AND forgotten_at IS NULL
      AND (mirror = ANY(:mirror) OR entry IN (SELECT entry FROM quarantine WHERE client = :client AND id = ANY(:held)))
""")
_MARK_EVENTS = text("""
    UPDATE ledger SET forgotten_at = :now WHERE client = :client AND forgotten_at IS NULL
      AND (mirror = ANY(:mirror) OR entry IN (SELECT entry FROM quarantine WHERE client = :client AND id = ANY(:held)))
""")
_EMPTY_HELD = text("""
    UPDATE quarantine SET payload = NULL, reason = :reason, state = 'dropped'
    WHERE client = :client AND id = ANY(:held)
""")


@dataclass(slots=True)
class Counts:
    """Rows removed and rows that lost words, by table; ``events`` are accepted events whose content went."""

    removed: dict[str, int] = field(default_factory=dict)
    reworded: dict[str, int] = field(default_factory=dict)
    events: int = 0

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to forget."""
        return not (self.removed or self.reworded)


def counted(connection: Connection, client: str, found: Selection) -> Counts:
    """Count what ``remove`` would remove."""
    counts = Counts()
    for table, keys in _wholes(found):
        rows = [
            connection.scalar(_such(select(func.count()), table, client, part)) or 0 for part in _parts(keys)
        ]
        _note(counts.removed, table.name, sum(rows))
    _units(connection, client, found, counts)
    _note(counts.removed, QUARANTINE, len(found.held))
    counts.reworded = {name: len(keys) for name, keys in sorted(found.reworded.items())}
    counts.events = connection.scalar(_COUNT_EVENTS, _events(client, found)) or 0
    return counts


def remove(
    connection: Connection, client: str, found: Selection, words: Words | None, now: datetime
) -> Counts:
    """Remove the selection, note in the ledger whose content went, and mark what is to be indexed anew."""
    counts = Counts()
    _units(connection, client, found, counts)
    for row in connection.execute(_KINDS, {"client": client, "units": sorted(found.units)}).all():
        index.remove(connection, client, row.kind, row.refs)
    counts.events = connection.execute(_MARK_EVENTS, _events(client, found) | {"now": now}).rowcount
    held = {"client": client, "held": sorted(found.held), "reason": REASON}
    _note(counts.removed, QUARANTINE, connection.execute(_EMPTY_HELD, held).rowcount)
    for table, keys in _wholes(found):
        rows = [
            connection.execute(_such(delete(table), table, client, part)).rowcount for part in _parts(keys)
        ]
        _note(counts.removed, table.name, sum(rows))
    if words is not None:
        _reword(connection, client, found, words, counts)
    for kind, refs in ((again.SESSION, found.touched), (again.PROJECT, found.projects)):
        again.note(connection, client, kind, map(str, refs))
    return counts


def _wholes(found: Selection) -> Iterator[tuple[Table, list[Any]]]:
    for name in WHOLE:
        if found.gone.get(name):
            yield metadata.tables[name], sorted(found.gone[name])


def _parts(keys: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(keys), AT_ONCE):
        yield keys[start : start + AT_ONCE]


def _such(statement: Any, table: Table, client: str, keys: Sequence[Any]) -> Any:
    return statement.where(table.c.client == client, table.c[WHOLE[table.name]].in_(keys))


def _units(connection: Connection, client: str, found: Selection, counts: Counts) -> None:
    """Count the units of recall that go, with the files and vectors that go with them."""
    for name in (UNITS, *OF_UNITS):
        table = metadata.tables[name]
        query = select(func.count()).where(table.c.client == client)
        rows = [
            connection.scalar(query.where(table.c.unit.in_(part))) or 0
            for part in _parts(sorted(found.units))
        ]
        _note(counts.removed, name, sum(rows))


def _events(client: str, found: Selection) -> dict[str, Any]:
    return {"client": client, "mirror": found.mirror, "held": sorted(found.held)}


def _reword(connection: Connection, client: str, found: Selection, words: Words, counts: Counts) -> None:
    for table, columns in searched():
        keys = list(table.primary_key)
        changed = 0
        for part in _parts(sorted(found.reworded.get(table.name, ()), key=str)):
            query = select(table).where(table.c.client == client, tuple_(*keys).in_(part))
            locked = query if table.name in APPENDED else query.with_for_update()
            for row in connection.execute(locked).mappings().all():
                held = {column.name: row[column.name] for column in columns if words.within(row[column.name])}
                clean = {name: _without(table, name, value, words) for name, value in held.items()}
                changed += _write(connection, table, row, clean) if clean else 0
        _note(counts.reworded, table.name, changed)


def _write(connection: Connection, table: Table, row: RowMapping, clean: dict[str, Any]) -> int:
    same = and_(*(column == row[column.name] for column in table.primary_key))
    if table.name in APPENDED:
        rows = connection.execute(delete(table).where(same)).rowcount
        connection.execute(insert(table).values({**row, **clean}))
        return rows
    return connection.execute(update(table).where(same).values(clean)).rowcount


def _without(table: Table, column: str, value: Any, words: Words) -> Any:
    """The value without the words; an event's identity becomes a digest, so that it stays one and says nothing."""
    if table.name == LEDGER and column == "key":
        return "forgotten|" + hashlib.sha256(value.encode()).hexdigest()
    return words.without(value)


def _note(counts: dict[str, int], name: str, rows: int) -> None:
    if rows and name not in COUNTERS:
        counts[name] = counts.get(name, 0) + rows
