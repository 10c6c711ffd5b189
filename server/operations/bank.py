"""The memory bank: what a person chose to keep, found again by meaning and words."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from recall.errors import BadQuestion
from recall.fence import block, harmless
from recall.search import recall
from recall.shelves import bank as shelf
from schema.scope import Scope
from server.errors import Missing
from server.memory import bank
from server.memory.bank import Owner
from server.memory.vectors import embed_here
from server.operation import Call, Input, Nothing, Operation, Output
from server.principal import Right

log = logging.getLogger("limbeck.memory")
MISSING = "memory_not_found"
TAG = "Memory"
NO_BUDGET = 1_000_000  # whole memories are returned; their number is what bounds them

Origin = Literal["active_conversation", "searched_conversation"]
Id = Annotated[str, Field(min_length=1, max_length=128)]
Tag = Annotated[str, Field(min_length=1, max_length=64)]


class Lenient(Input):
    """What the bank's contract takes: unknown keys are dropped, so that a client's own scope and source vanish."""

    model_config = ConfigDict(extra="ignore")


class ContextInput(Lenient):
    """A snippet of a conversation that the memory comes from."""

    snippet: str = Field(min_length=1, max_length=4000, description="The words themselves, without secrets.")
    conversation_id: Id | None = Field(None, alias="conversation_id")
    message_id: Id | None = Field(None, alias="message_id")
    origin: Origin | None = Field(None, description="Where the snippet was found.")


class SaveInput(Lenient):
    """A memory to keep."""

    content: str = Field(
        min_length=1, max_length=8000, description="One self-contained sentence, without secrets."
    )
    tags: list[Tag] | None = Field(None, max_length=32)
    contexts: list[ContextInput] | None = Field(None, max_length=16)


class SearchInput(Input):
    """What to look for."""

    q: str = Field(min_length=1, max_length=512, description="A few words or a question.")
    limit: int = Field(20, ge=1, le=50)


class ListInput(Input):
    """How many memories."""

    limit: int = Field(20, ge=1, le=100)


class DeleteInput(Input):
    """Which memory."""

    id: str = Field(description="The memory's id: `mem_` and 26 characters.")


class MemoryOutput(Output):
    """A memory."""

    id: str
    content: str
    tags: list[str] | None
    source: str
    scope: str
    created_at: datetime
    updated_at: datetime


class Found(MemoryOutput):
    """A memory with how well it answers."""

    score: float


class ContextOutput(Output):
    """A snippet that a memory comes from."""

    id: str
    snippet: str
    citation: dict[Literal["conversation_id", "message_id"], str] | None = Field(
        description="Which message of which conversation."
    )
    origin: Origin | None
    created_at: datetime


class Listed(MemoryOutput):
    """A memory with where it comes from."""

    contexts: list[ContextOutput]


class Saved(Output):
    """The memory as it was kept."""

    memory: MemoryOutput


class Results(Output):
    """Memories, the best first."""

    results: list[Found]

    def told(self) -> str:
        """The memories inside a fence."""
        return told_of(self.results, "Nothing was found.")


class Memories(Output):
    """Memories, the newest first."""

    memories: list[Listed]

    def told(self) -> str:
        """The memories inside a fence, with the snippets they come from."""
        return told_of(self.memories, "No memories are saved.")


def told_of(memories: Sequence[MemoryOutput], none: str) -> str:
    """What an agent reads, ``none`` where there are none: stored words are data, each with the id to delete it by."""
    lines = [] if memories else [none]
    for one in memories:
        tags = f" [{', '.join(one.tags)}]" if one.tags else ""
        lines.append(harmless(f"{one.content}{tags}"))
        snippets = one.contexts if isinstance(one, Listed) else ()
        lines += [harmless(f"from: {context.snippet}") for context in snippets]
        lines.append(harmless(f"{one.id}, saved {one.created_at:%Y-%m-%d}"))
    return block(lines)


def save(call: Call, given: SaveInput) -> Saved:
    """Keep a memory and its contexts in one transaction; it can be found when this returns."""
    contexts = [_context(one) for one in given.contexts or ()]
    with call.tenant() as connection:
        memory = bank.save(connection, owner_of(call), given.content, given.tags, contexts, call.now)
    embed_here(call)
    log.info("memory.save contexts=%d", len(contexts))
    return Saved(memory=MemoryOutput.model_validate(memory))


def search(call: Call, given: SearchInput) -> Results:
    """Find the caller's own memories by meaning and words."""
    who = call.principal
    try:
        answer = recall(
            call.database,
            Scope(who.client, None, who.user),
            given.q,
            kinds=(shelf(who.user),),
            limit=given.limit,
            budget=NO_BUDGET,
            embedder=call.embedder(),
            now=call.now,
        )
    except BadQuestion:
        return Results(results=[])
    with call.tenant() as connection:
        kept = bank.these(connection, owner_of(call), [hit.ref for hit in answer.hits])
    results = [
        Found(**MemoryOutput.model_validate(kept[hit.ref]).model_dump(), score=hit.score)
        for hit in answer.hits
        if hit.ref in kept
    ]
    log.info("memory.search query_length=%d result_count=%d", len(given.q), len(results))
    return Results(results=results)


def listed(call: Call, given: ListInput) -> Memories:
    """The caller's own memories with their contexts."""
    with call.tenant() as connection:
        found = bank.newest(connection, owner_of(call), given.limit)
    return Memories(memories=[Listed.model_validate(memory) for memory in found])


def delete(call: Call, given: DeleteInput) -> Nothing:
    """Delete one of the caller's own memories for good."""
    with call.tenant() as connection:
        if not bank.delete(connection, owner_of(call), given.id):
            raise Missing(what="memory", name=given.id)
    log.info("memory.delete")
    return Nothing()


def owner_of(call: Call) -> Owner:
    """Whose memories, from the credential."""
    return Owner(call.principal.client, call.principal.user, call.principal.agent)


def _context(given: ContextInput) -> bank.Context:
    citation = {
        name: value
        for name in ("conversation_id", "message_id")
        if (value := getattr(given, name)) is not None
    }
    return bank.Context(given.snippet, citation or None, given.origin)


OPERATIONS = (
    Operation(
        name="postMemory",
        purpose=(
            "Save a memory for the person who asked for it: body {content, tags?, contexts?: [{snippet, "
            "conversation_id?, message_id?, origin?}]}. Show the draft first and save only after their yes; never "
            "save secrets or sensitive personal data."
        ),
        input=SaveInput,
        output=Saved,
        right=Right.WRITE,
        method="POST",
        path="/v1/memory",
        run=save,
        tag=TAG,
        status=201,
    ),
    Operation(
        name="getMemorySearch",
        purpose="Search the person's saved memories by meaning and words, the best first: query {q, limit?}.",
        input=SearchInput,
        output=Results,
        right=Right.READ,
        method="GET",
        path="/v1/memory/search",
        run=search,
        tag=TAG,
    ),
    Operation(
        name="getMemory",
        purpose="List the person's saved memories, newest first, with the snippets they come from: query {limit?}.",
        input=ListInput,
        output=Memories,
        right=Right.READ,
        method="GET",
        path="/v1/memory",
        run=listed,
        tag=TAG,
    ),
    Operation(
        name="deleteMemoryById",
        purpose="Delete one saved memory by its id; only after the person confirmed it.",
        input=DeleteInput,
        output=Nothing,
        right=Right.WRITE,
        method="DELETE",
        path="/v1/memory/{id}",
        run=delete,
        tag=TAG,
        status=204,
        missing=MISSING,
    ),
)
