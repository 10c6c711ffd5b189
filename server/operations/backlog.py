"""Approved work: what is planned, its life, and what was done."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from backlog import items, store, work
from backlog.items import Change
from backlog.lifecycle import State as ItemState
from schema import backlog as reading
from schema.scope import Scope
from server.backlog import (
    ItemNumber,
    State,
    Text,
    Title,
    Type,
    UseCase,
    Version,
    embed,
    origin,
    refusals,
    reindex,
)
from server.errors import BadInput
from server.fields import Cursor, Limit, Name, Next, OneProject
from server.operation import Call, Input, Operation, Output
from server.operations.backlog_outputs import (
    ChangeOutput,
    ItemOutput,
    WorkOutput,
    change_output,
    item_output,
    work_output,
)
from server.paging import decoded, page
from server.principal import Right
from server.reach import actor, one_project, session_of

TAG = "Backlog"
MOST_WORDS = 4_000


class ListWorkItemsInput(Input):
    """Which items."""

    project: OneProject = None
    type: list[Type] = Field(
        default_factory=list, max_length=6, description="Of these types; all without it."
    )
    state: list[State] = Field(default_factory=list, max_length=5, description="In these states.")
    use_case: UseCase = None
    archived: bool = Field(False, description="Also what is archived.")
    cursor: Cursor = None
    limit: Limit = 50


class ListWorkItemsOutput(Output):
    """Items, use cases first, in their order."""

    items: list[ItemOutput]
    next_cursor: Next = None


class ItemInput(Input):
    """Which item."""

    number: ItemNumber
    project: OneProject = None


class ItemDetailOutput(Output):
    """An item with what belongs to it, and what was done on it (of a use case also on what belongs to it)."""

    item: ItemOutput
    items: list[ItemOutput] = Field(description="What belongs to it, in order.")
    work: list[WorkOutput] = Field(description="What was done, oldest first.")


class UpdateWorkItemInput(ItemInput):
    """What to change; what is left out stays."""

    title: Title | None = None
    text: Text | None = None
    state: State | None = Field(
        None,
        description="One step forward (open, pending, in-progress, review, done), or back to any earlier one.",
    )
    use_case: UseCase = None
    version: Version = None
    reason: str = Field("", max_length=1000, description="Why, for the history.")


class HistoryOutput(Output):
    """How an item came to where it is."""

    number: str
    history: list[ChangeOutput]
    work: list[WorkOutput]


class AddWorkLogInput(ItemInput):
    """What was done."""

    outcome: str = Field("", max_length=MOST_WORDS, description="What works now that did not before.")
    tests: str = Field("", max_length=MOST_WORDS, description="Which tests ran, and how they ended.")
    review: str = Field("", max_length=MOST_WORDS, description="Who or what reviewed it, and the result.")
    score: int | None = Field(None, ge=0, le=100, description="How good it is, 0 to 100.")
    seconds: int | None = Field(None, ge=0, le=2**31 - 1, description="How long it took.")
    commit: Annotated[
        str | None, Field(pattern="^[0-9A-Fa-f]{7,64}$", description="The commit's hash, or its beginning.")
    ] = None
    session: Annotated[Name | None, Field(description="The session it was done in.")] = None


class AddWorkLogOutput(Output):
    """The entry as it stands."""

    entry: WorkOutput
    added: bool = Field(
        description="False where this commit was noted before; what was missing is filled in."
    )


def list_work_items(call: Call, given: ListWorkItemsInput) -> ListWorkItemsOutput:
    """List a project's items."""
    after = _place(given.cursor) if given.cursor is not None else None
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        found = reading.items(
            connection,
            call.principal.client,
            project,
            types=given.type,
            states=given.state,
            use_case=_plain(given.use_case) or None,
            archived=given.archived,
            limit=given.limit + 1,
            after=after,
        )
    shown, following = page(
        found, given.limit, lambda item: (item.position, item.type, item.number.removeprefix(item.type))
    )
    return ListWorkItemsOutput(items=[item_output(item) for item in shown], next_cursor=following)


def _place(cursor: str) -> tuple[int, str, int]:
    position, kind, serial = decoded(cursor, 3)
    try:
        return int(position), kind, int(serial)
    except ValueError:
        raise BadInput(what="cursor", why="it is not one that this list gave") from None


def get_item_by_number(call: Call, given: ItemInput) -> ItemDetailOutput:
    """Show one item."""
    client = call.principal.client
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        item = store.find(connection, client, project, given.number)
        below = (
            reading.items(connection, client, project, use_case=item.number)
            if item.type == reading.USE_CASE
            else []
        )
        done = reading.work(connection, client, project, item=item.id)
    return ItemDetailOutput(
        item=item_output(item),
        items=[item_output(one) for one in below],
        work=[work_output(one) for one in done],
    )


def update_work_item(call: Call, given: UpdateWorkItemInput) -> ItemOutput:
    """Change an item. Raises Stale where it is at another version, and what the backlog refuses."""
    wanted = Change(
        title=given.title,
        text=given.text,
        state=None if given.state is None else ItemState(given.state),
        use_case=None if given.use_case is None else _plain(given.use_case),
    )
    if wanted == Change():
        raise BadInput(what="change", why="give a title, text, state or useCase")
    with refusals(), call.tenant() as connection:
        project = one_project(call, connection, given.project)
        item = items.change(
            connection,
            call.principal.client,
            project,
            given.number,
            wanted,
            by=actor(call),
            now=call.now,
            expected=given.version,
            reason=given.reason,
        )
        reindex(call, connection, project, {item.number})
    embed(call)
    return item_output(item)


def get_work_item_history(call: Call, given: ItemInput) -> HistoryOutput:
    """Show every change of an item, and what was done on it."""
    client = call.principal.client
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        item = store.find(connection, client, project, given.number)
        lines = reading.history(connection, client, item.id)
        done = reading.work(connection, client, project, item=item.id)
    return HistoryOutput(
        number=item.number,
        history=[change_output(line) for line in lines],
        work=[work_output(one) for one in done],
    )


def add_work_log(call: Call, given: AddWorkLogInput) -> AddWorkLogOutput:
    """Note a delivery on an item and on its use case, once for each commit."""
    client = call.principal.client
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        scope = Scope(client, (project,), call.principal.user)
        told = work.Work(
            outcome=given.outcome,
            tests=given.tests,
            review=given.review,
            score=given.score,
            seconds=given.seconds,
            commit=given.commit,
            session=session_of(connection, scope, given.session, whole=True) if given.session else None,
        )
        entry, added = work.add(
            connection,
            client,
            project,
            given.number,
            told,
            by=actor(call),
            origin=origin(call),
            now=call.now,
        )
        reindex(call, connection, project, {entry.item})
    embed(call)
    return AddWorkLogOutput(entry=work_output(entry), added=added)


def _plain(number: str | None) -> str:
    return (number or "").upper().replace("-", "")


OPERATIONS = (
    Operation(
        name="list_work_items",
        purpose=(
            "What is planned and how far it is: use cases (US) and their features (FE), bugs (BU), tasks (TA), "
            "policies (PO) and requirements (RE), by type, state or use case."
        ),
        input=ListWorkItemsInput,
        output=ListWorkItemsOutput,
        right=Right.READ,
        method="GET",
        path="/v1/items",
        run=list_work_items,
        tag=TAG,
    ),
    Operation(
        name="get_item_by_number",
        purpose="One item by its number, such as BU3001: what it says, what belongs to it, and what was done.",
        input=ItemInput,
        output=ItemDetailOutput,
        right=Right.READ,
        method="GET",
        path="/v1/items/{number}",
        run=get_item_by_number,
        tag=TAG,
    ),
    Operation(
        name="update_work_item",
        purpose=(
            "Change an item's title, text, use case or state. A state goes one step forward (open, pending, "
            "in-progress, review, done) or back; a use case is done only after all that belongs to it. Give the "
            "version you read, so that nobody's change is lost."
        ),
        input=UpdateWorkItemInput,
        output=ItemOutput,
        right=Right.WRITE,
        method="PATCH",
        path="/v1/items/{number}",
        run=update_work_item,
        tag=TAG,
    ),
    Operation(
        name="get_work_item_history",
        purpose="Every change of an item, by whom and when, and what was done on it, by which commit.",
        input=ItemInput,
        output=HistoryOutput,
        right=Right.READ,
        method="GET",
        path="/v1/items/{number}/history",
        run=get_work_item_history,
        tag=TAG,
    ),
    Operation(
        name="add_work_log",
        purpose=(
            'Note under "What was done" what you delivered on an item: outcome, tests, review, score, duration and '
            "commit (an outcome or a commit is needed). It stands on the item and its use case, once for each commit."
        ),
        input=AddWorkLogInput,
        output=AddWorkLogOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/items/{number}/work",
        run=add_work_log,
        tag=TAG,
        status=201,
    ),
)
