"""Everything that was saved on purpose, put into the index as it stands: after stored texts were cleaned."""

from __future__ import annotations

from itertools import groupby

from sqlalchemy import Connection, text

from recall import index
from schema.database import Database
from schema.records import Unit
from server.memory import typeid
from server.memory.bank import Context, Memory
from server.memory.scopes import Place
from server.memory.units import of_entry, of_memory

_MEMORIES = text("""
    SELECT m.id::text AS id, m.owner, m.content, m.tags, m.source, m.scope, m.created_at, m.updated_at, c.snippet
    FROM memories m LEFT JOIN memory_contexts c ON c.client = m.client AND c.memory = m.id
    WHERE m.client = :client ORDER BY m.id, c.created_at DESC, c.id DESC
""")
_ENTRIES = text("""
    SELECT id::text AS id, owner, scope, project::text AS project, key, value, updated_at FROM remembered
    WHERE client = :client AND forgotten_at IS NULL ORDER BY id
""")


def index_all(database: Database, client: str) -> int:
    """Index every memory of every user of ``client``; what has not changed stays. Return how many were written anew."""
    with database.everyone(client) as connection:
        return index.put(connection, client, [*_memories(connection, client), *_entries(connection, client)])


def _memories(connection: Connection, client: str) -> list[Unit]:
    units = []
    rows = connection.execute(_MEMORIES, {"client": client}).all()
    for identifier, group in groupby(rows, key=lambda row: str(row.id)):
        of_one = list(group)
        row = of_one[0]
        kept = [Context(one.snippet) for one in of_one if one.snippet is not None]
        memory = Memory(
            typeid.encode(typeid.MEMORY, identifier),
            row.content,
            row.tags,
            row.source,
            row.scope,
            row.created_at,
            row.updated_at,
        )
        units.append(of_memory(row.owner, memory, kept))
    return units


def _entries(connection: Connection, client: str) -> list[Unit]:
    units = []
    for row in connection.execute(_ENTRIES, {"client": client}):
        place = Place(client, row.owner, row.scope, row.project)
        units.append(of_entry(place, row.id, row.key, row.value, row.updated_at))
    return [unit for unit in units if unit is not None]
