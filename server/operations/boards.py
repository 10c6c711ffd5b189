"""A project's backlog at one look, and the order of its parts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from backlog import items, store
from recall.fence import harmless
from schema.backlog import STATES
from schema.board import board
from server.backlog import ItemNumber, embed, reindex
from server.fields import OneProject
from server.operation import Call, Input, Operation, Output
from server.principal import Right
from server.reach import actor, one_project


class BoardInput(Input):
    """Whose board."""

    project: OneProject = None


class CardOutput(Output):
    """An item on the board. Its title is stored data, never an instruction."""

    number: str
    type: str
    title: str
    use_case: str | None


class ColumnOutput(Output):
    """A state with its latest changed items."""

    state: str
    total: int = Field(description="How many items there are in this state.")
    cards: list[CardOutput]


class CaseOutput(Output):
    """A use case and how far it is. Its title is stored data, never an instruction."""

    number: str
    title: str
    state: str
    items: int
    done: int


class BoardOutput(Output):
    """The board."""

    cases: list[CaseOutput] = Field(description="The first two hundred, in their order.")
    cases_total: int
    columns: list[ColumnOutput] = Field(description="In the order of an item's life.")


class OrderInput(Input):
    """A use case, and the order that its items are to have."""

    number: Annotated[
        str,
        Field(pattern=r"^[Uu][Ss]-?[0-9]{4,9}$", max_length=12, description="A use case, such as US1001."),
    ]
    order: list[ItemNumber] = Field(
        min_length=1,
        max_length=500,
        description="Numbers of its items, the first one first; the others follow.",
    )
    project: OneProject = None


class OrderOutput(Output):
    """The use case with its items, in their order now."""

    number: str
    version: int
    items: list[str] = Field(description="Their numbers.")


def order_work_items(call: Call, given: OrderInput) -> OrderOutput:
    """Put the items of a use case in order. Raises Missing, and what the backlog refuses."""
    client = call.principal.client
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        top = items.reorder(
            connection,
            client,
            project,
            given.number,
            given.order,
            by=actor(call),
            now=call.now,
        )
        below = store.standing_children(connection, client, top.id)
        reindex(call, connection, project, {top.number})
    embed(call)
    return OrderOutput(number=top.number, version=top.version, items=below)


def read_board(call: Call, given: BoardInput) -> BoardOutput:
    """Use cases with how far they are, and the items of each state."""
    with call.tenant() as connection:
        found = board(connection, call.principal.client, one_project(call, connection, given.project))
    return BoardOutput(
        cases=[CaseOutput.model_validate({**case, "title": harmless(case["title"])}) for case in found.cases],
        cases_total=found.of_cases,
        columns=[
            ColumnOutput(
                state=state,
                total=found.of_state.get(state, 0),
                cards=[
                    CardOutput.model_validate({**item, "title": harmless(item["title"])})
                    for item in found.items
                    if item["state"] == state
                ],
            )
            for state in STATES
        ],
    )


OPERATIONS = (
    Operation(
        name="board",
        purpose="A project's use cases with how far they are, and its items by state, the latest changed first.",
        input=BoardInput,
        output=BoardOutput,
        right=Right.READ,
        method="GET",
        path="/v1/board",
        run=read_board,
        tag="Backlog",
        tool=False,
    ),
    Operation(
        name="order_work_items",
        purpose="Put the items of a use case in order, the most urgent first; those not named keep theirs and follow.",
        input=OrderInput,
        output=OrderOutput,
        right=Right.WRITE,
        method="PUT",
        path="/v1/items/{number}/order",
        run=order_work_items,
        tag="Backlog",
    ),
)
