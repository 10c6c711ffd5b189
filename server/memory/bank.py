"""The memory bank in the database: a person's memories with the snippets they come from.

Every statement runs as one user (``Call.tenant``): row security keeps other users' memories out of all of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from recall import index
from recall.shelves import bank
from schema.ids import new_id
from server.memory import typeid
from server.memory.clean import clean
from server.memory.units import of_memory

SCOPE, SOURCE = "user", "chat"

_SAVE = text("""
    INSERT INTO memories (client, id, owner, content, tags, source, scope, agent, created_at, updated_at)
    VALUES (:client, :id, :owner, :content, :tags, :source, :scope, :agent, :now, :now)
""")
_SAVE_CONTEXT = text("""
    INSERT INTO memory_contexts (client, id, memory, owner, snippet, citation, origin, created_at)
    VALUES (:client, :id, :memory, :owner, :snippet, CAST(:citation AS jsonb), :origin, :now)
""")
_NEWEST = text("""
    SELECT id::text AS id, content, tags, source, scope, created_at, updated_at FROM memories
    WHERE client = :client AND owner = :owner AND scope = 'user'
      AND (cast(:after_at AS timestamptz) IS NULL
           OR (created_at, id) < (cast(:after_at AS timestamptz), cast(:after_id AS uuid)))
    ORDER BY created_at DESC, id DESC LIMIT :limit
""")
_THESE = text("""
    SELECT id::text AS id, content, tags, source, scope, created_at, updated_at FROM memories
    WHERE client = :client AND owner = :owner AND scope = 'user' AND id = ANY(CAST(:ids AS uuid[]))
""")
_CONTEXTS = text("""
    SELECT id::text AS id, memory::text AS memory, snippet, citation, origin, created_at FROM memory_contexts
    WHERE client = :client AND owner = :owner AND memory = ANY(CAST(:ids AS uuid[]))
    ORDER BY created_at DESC, id DESC
""")
_DELETE_CONTEXTS = text(
    "DELETE FROM memory_contexts WHERE client = :client AND owner = :owner AND memory = :id"
)
_DELETE = text(
    "DELETE FROM memories WHERE client = :client AND owner = :owner AND scope = 'user' AND id = :id"
)


@dataclass(frozen=True, slots=True)
class Context:
    """A snippet that a memory comes from. ``id`` is empty until it is saved; ``citation`` says which conversation."""

    snippet: str
    citation: dict[str, str] | None = None
    origin: str | None = None
    id: str = ""
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory of the bank, with its TypeID."""

    id: str
    content: str
    tags: list[str] | None
    source: str
    scope: str
    created_at: datetime
    updated_at: datetime
    contexts: tuple[Context, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose bank it is: a user of a client; ``agent`` is what saves for them."""

    client: str
    user: str
    agent: str | None = None

    @property
    def values(self) -> dict[str, Any]:
        """What the statements name."""
        return {"client": self.client, "owner": self.user}


def save(
    connection: Connection,
    owner: Owner,
    content: str,
    tags: Sequence[str] | None,
    contexts: Sequence[Context],
    now: datetime,
) -> Memory:
    """Keep a memory with its contexts, redacted, and make it findable; return it without the contexts."""
    ms = int(now.timestamp() * 1000)
    identifier = new_id(ms)
    memory = Memory(
        id=typeid.encode(typeid.MEMORY, identifier),
        content=clean(content),
        tags=None if tags is None else [clean(tag) for tag in tags],
        source=SOURCE,
        scope=SCOPE,
        created_at=now,
        updated_at=now,
    )
    values = owner.values | {"now": now}
    row = {"id": identifier, "content": memory.content, "tags": memory.tags, "agent": owner.agent}
    connection.execute(_SAVE, values | row | {"source": SOURCE, "scope": SCOPE})
    ids = sorted(
        (new_id(ms) for _ in contexts), reverse=True
    )  # so that the list shows them as they were given
    kept = [_clean_context(context) for context in contexts]
    rows = [
        values
        | {
            "id": own,
            "memory": identifier,
            "snippet": context.snippet,
            "citation": None if context.citation is None else json.dumps(context.citation),
            "origin": context.origin,
        }
        for own, context in zip(ids, kept, strict=True)
    ]
    if rows:
        connection.execute(_SAVE_CONTEXT, rows)
    index.put(connection, owner.client, [of_memory(owner.user, memory, kept)])
    return memory


def newest(
    connection: Connection, owner: Owner, limit: int, after: tuple[datetime, str] | None = None
) -> list[Memory]:
    """Return up to ``limit`` memories, the newest first, each with its contexts; ``after`` ends the page before."""
    place = {"after_at": after[0] if after else None, "after_id": after[1] if after else None}
    rows = connection.execute(_NEWEST, owner.values | place | {"limit": limit}).mappings().all()
    return _with_contexts(connection, owner, [dict(row) for row in rows])


def these(connection: Connection, owner: Owner, ids: Sequence[str]) -> dict[str, Memory]:
    """Return the memories with these TypeIDs that are the owner's, by TypeID and without contexts."""
    wanted = [found for one in ids if (found := typeid.decode(typeid.MEMORY, one))]
    rows = connection.execute(_THESE, owner.values | {"ids": wanted}).mappings()
    return {memory.id: memory for memory in (_memory(dict(row), ()) for row in rows)}


def delete(connection: Connection, owner: Owner, typed: str) -> bool:
    """Delete a memory with its contexts and what recall holds of it; False where the owner has none of this id."""
    identifier = typeid.decode(typeid.MEMORY, typed)
    if identifier is None:
        return False
    values = owner.values | {"id": identifier}
    connection.execute(_DELETE_CONTEXTS, values)
    found = connection.execute(_DELETE, values).rowcount == 1
    if found:
        index.remove(connection, owner.client, bank(owner.user), [typed])
    return found


def _with_contexts(connection: Connection, owner: Owner, rows: list[dict[str, Any]]) -> list[Memory]:
    contexts: dict[str, list[Context]] = {row["id"]: [] for row in rows}
    for found in connection.execute(_CONTEXTS, owner.values | {"ids": list(contexts)}).mappings():
        context = dict(found)
        memory = context.pop("memory")
        contexts[memory].append(Context(**context | {"id": typeid.encode(typeid.CONTEXT, context["id"])}))
    return [_memory(row, contexts[row["id"]]) for row in rows]


def _memory(row: dict[str, Any], contexts: Sequence[Context]) -> Memory:
    return Memory(**row | {"id": typeid.encode(typeid.MEMORY, row["id"]), "contexts": tuple(contexts)})


def _clean_context(context: Context) -> Context:
    citation = context.citation and {name: clean(value) for name, value in context.citation.items()}
    return Context(clean(context.snippet), citation or None, context.origin)
