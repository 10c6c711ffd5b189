"""What operations on the backlog share: fields, who acts, refusals as others know them, recall kept in step."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import Connection

from backlog.errors import VersionStale
from recall.items import put_items
from recall.run import embed_some
from server.errors import Stale
from server.operation import Call

ItemNumber = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z]{2}-?[0-9]{4,9}$", max_length=12, description="An item's number, such as BU3001."
    ),
]
UseCase = Annotated[
    str | None,
    Field(
        pattern=r"^([Uu][Ss]-?[0-9]{4,9})?$",
        max_length=12,
        description="The number of the use case it belongs to, such as US1001; empty for none.",
    ),
]
DraftId = Annotated[
    str,
    Field(
        min_length=4,
        max_length=36,
        pattern="^[0-9A-Fa-f-]+$",
        description="A draft's id, or the beginning of it that no other has.",
    ),
]
Type = Literal["US", "FE", "BU", "TA", "PO", "RE"]
State = Literal["open", "pending", "in-progress", "review", "done"]
Title = Annotated[str, Field(min_length=1, max_length=200, description="One line.")]
Text = Annotated[str, Field(max_length=20_000, description="What there is to say about it.")]
Version = Annotated[
    int | None, Field(ge=1, description="The version the change is made on; at another one it is refused.")
]


@contextmanager
def refusals() -> Iterator[None]:
    """Let a stale version be what it is everywhere: a conflict. Raises Stale."""
    try:
        yield
    except VersionStale as error:
        raise Stale(why=str(error)) from error


def origin(call: Call) -> str:
    """Whether a person or an agent does it."""
    return "agent" if call.principal.agent else "person"


def reindex(call: Call, connection: Connection, project: str, numbers: Collection[str]) -> None:
    """Let recall see items as they are now, in the transaction that changes them."""
    put_items(connection, call.principal.client, project, numbers=numbers)


def embed(call: Call) -> None:
    """Give the changed items their vectors, after the commit."""
    embed_some(call.database, call.principal.client, call.embedder())
