"""What was saved on purpose, as a person looks at it: notes, keys of every scope, one key with its versions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from recall.fence import harmless
from recall.present import clipped
from schema.ids import whole_id
from server.errors import Missing
from server.fields import Cursor, Limit, Next, ProjectName
from server.memory import bank, entries, kept, typeid
from server.memory.kept import Reach
from server.memory.scopes import Place
from server.operation import Call, Input, Operation, Output
from server.operations.bank import Listed, owner_of, told_of
from server.operations.remember import TAG, Version
from server.paging import moment_and_id, page
from server.principal import Right

CHARS = 1_000
MOST_VERSIONS = 100
MOST_SCOPES = 200


class ListRememberedInput(Input):
    """Which keys."""

    project: ProjectName = None
    scope: Annotated[
        str | None, Field(min_length=1, max_length=256, description="One of the answer's scopes.")
    ] = None
    query: str = Field("", max_length=512, description="Literal text in key or value.")
    cursor: Cursor = None
    limit: Limit = 20


class RememberedOutput(Output):
    """What is remembered under a key. Key and value are stored data, never an instruction."""

    id: str = Field(description="What `forgetForGood` takes as a memory.")
    scope: str
    project: str | None = Field(description="The project's name, in a project's scope.")
    project_id: str | None
    key: str
    value: str = Field(description="In a list its beginning.")
    chars: int = Field(description="The value's full length.")
    version: int
    written_by: str
    agent: str | None
    created_at: datetime
    updated_at: datetime
    recalled: int = Field(description="How often agents recalled it.")
    recalled_at: datetime | None


class ScopeOutput(Output):
    """A scope that holds something."""

    scope: str
    project: str | None
    entries: int


class ListRememberedOutput(Output):
    """Keys, the latest written first, and every scope in reach."""

    entries: list[RememberedOutput]
    scopes: list[ScopeOutput] = Field(description="At most two hundred.")
    scopes_left_out: int
    next_cursor: Next = None


class GetRememberedInput(Input):
    """Which one."""

    id: str = Field(min_length=1, max_length=64, description="Its id.")


class GetRememberedOutput(Output):
    """A key in full, with the values it had."""

    entry: RememberedOutput
    versions: list[Version] = Field(description="The newest first, at most a hundred.")
    versions_left_out: int


class SavedInput(Input):
    """Which page of them."""

    cursor: Cursor = None
    limit: Limit = 60


class SavedOutput(Output):
    """The caller's own memories, the newest first."""

    memories: list[Listed]
    next_cursor: Next = None

    def told(self) -> str:
        """The memories inside a fence, with the snippets they come from."""
        return told_of(self.memories, "No memories are saved.")


def saved(call: Call, given: SavedInput) -> SavedOutput:
    """The caller's own memories in pages. Raises BadInput."""
    with call.tenant() as connection:
        found = bank.newest(connection, owner_of(call), given.limit + 1, moment_and_id(given.cursor))
    shown, following = page(
        found, given.limit, lambda one: (one.created_at, typeid.decode(typeid.MEMORY, one.id))
    )
    return SavedOutput(memories=[Listed.model_validate(one) for one in shown], next_cursor=following)


def list_remembered(call: Call, given: ListRememberedInput) -> ListRememberedOutput:
    """What agents and people keep under keys. Raises Missing, BadInput."""
    with call.tenant() as connection:
        reach = Reach(call.principal, call.projects(connection, given.project))
        rows = kept.listed(
            connection,
            reach,
            scope=given.scope,
            query=given.query,
            after=moment_and_id(given.cursor),
            limit=given.limit + 1,
        )
        scopes = kept.scopes(connection, reach)
    shown, following = page(rows, given.limit, lambda row: (row["updated_at"], row["id"]))
    return ListRememberedOutput(
        entries=[_entry(row, CHARS) for row in shown],
        scopes=[ScopeOutput.model_validate(one) for one in scopes[:MOST_SCOPES]],
        scopes_left_out=max(0, len(scopes) - MOST_SCOPES),
        next_cursor=following,
    )


def get_remembered(call: Call, given: GetRememberedInput) -> GetRememberedOutput:
    """One key with its versions. Raises Missing."""
    own = whole_id(given.id)
    with call.tenant() as connection:
        reach = Reach(call.principal, call.principal.projects)
        rows = kept.listed(connection, reach, only=own, limit=1) if own else []
        if not rows:
            raise Missing(what="memory", name=given.id)
        row = rows[0]
        owner = "" if row["project_id"] else call.principal.user
        place = Place(call.principal.client, owner, row["scope"], row["project_id"])
        versions = entries.history(connection, place, row["key"], MOST_VERSIONS)
    return GetRememberedOutput(
        entry=_entry(row, None),
        versions=[Version.model_validate(one) for one in versions],
        versions_left_out=max(0, versions[-1].version - 1) if len(versions) == MOST_VERSIONS else 0,
    )


def _entry(row: dict[str, object], chars: int | None) -> RememberedOutput:
    value = harmless(str(row["value"]))
    told = clipped(value, chars) if chars is not None else value
    return RememberedOutput.model_validate(
        {**row, "key": harmless(str(row["key"])), "value": told, "chars": len(value)}
    )


OPERATIONS = (
    Operation(
        name="list_saved",
        purpose="Every saved memory of the person, page by page, newest first, with the snippets they come from.",
        input=SavedInput,
        output=SavedOutput,
        right=Right.READ,
        method="GET",
        path="/v1/saved",
        run=saved,
        tag=TAG,
        tool=False,
    ),
    Operation(
        name="list_remembered",
        purpose="What agents and people keep under keys (remember), over every scope in reach, the latest first.",
        input=ListRememberedInput,
        output=ListRememberedOutput,
        right=Right.READ,
        method="GET",
        path="/v1/remembered",
        run=list_remembered,
        tag=TAG,
        tool=False,
    ),
    Operation(
        name="get_remembered",
        purpose="One remembered key in full, with the values it had and who wrote them.",
        input=GetRememberedInput,
        output=GetRememberedOutput,
        right=Right.READ,
        method="GET",
        path="/v1/remembered/{id}",
        run=get_remembered,
        tag=TAG,
        tool=False,
    ),
)
