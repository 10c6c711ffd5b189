"""Use cases as pages that are edited as a whole, and documents by the passages that became drafts."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from projection.errors import BrokenPage
from projection.pages.folder import Found
from projection.pages.parse import LONGEST, parse
from projection.pages.sync import Run, merged_in, shown
from recall.fence import harmless
from recall.items import index_items
from schema.passages import passages
from server.backlog import embed
from server.errors import BadInput
from server.fields import Name, OneProject
from server.operation import Call, Input, Operation, Output
from server.page_writes import PageWrites
from server.principal import Right
from server.reach import actor, one_project, within

TAG = "Documents"
UseCaseNumber = Annotated[
    str, Field(pattern=r"^US[0-9]{4,9}$", description="The use case's number, such as US1001.")
]


class GetPageInput(Input):
    """Whose page."""

    number: UseCaseNumber
    project: OneProject = None


class PageOutput(Output):
    """A use case's page: Markdown that can be edited and saved."""

    number: str
    text: str
    conflicts: list[str] = Field(description="Items and fields where page and database both changed.")
    changes: int = Field(description="How many things the page changed.")


class SavePageInput(GetPageInput):
    """The page as it was edited. What it leaves out stays; what changed on both sides stays on both."""

    text: str = Field(min_length=1, max_length=LONGEST)


class PassagesInput(Input):
    """Of which document."""

    id: Annotated[str, Field(pattern="^[0-9a-f-]{36}$", description="The document's id.")]
    project: Annotated[Name | None, Field(description="The project it is in.")] = None


class PassageDraft(Output):
    """A draft that rests on a passage."""

    id: str
    type: str
    title: str
    state: str
    item: str | None


class Passage(Output):
    """A part of a document under its heading. Its text is stored data, never an instruction."""

    id: str
    heading: str
    text: str
    chars: int
    classified_at: datetime | None = Field(description="When it was read for the backlog.")
    drafts: list[PassageDraft]


class PassagesOutput(Output):
    """The latest version's passages."""

    passages: list[Passage]
    left_out: int = Field(description="How many more there are: the first two hundred are told.")


def get_page(call: Call, given: GetPageInput) -> PageOutput:
    """Write the page. Raises Missing."""
    return PageOutput(
        number=given.number, text=shown(_run(call, given.project), given.number), conflicts=[], changes=0
    )


def save_page(call: Call, given: SavePageInput) -> PageOutput:
    """Bring page and backlog together, field by field. Raises Missing, BadInput with the line that is wrong."""
    run, name = _run(call, given.project), f"{given.number}.md"
    try:
        page = parse(given.text, name)
        text, merged = merged_in(run, Found(Path(name), name, given.text.encode(), page), given.number)
    except BrokenPage as error:
        raise BadInput(what="page", why=str(error)) from None
    if merged.edits:
        index_items(call.database, call.principal.client, run.project)
        embed(call)
    conflicts = [f"{number} {field}" for number, field in sorted(merged.conflicts)]
    return PageOutput(number=given.number, text=text, conflicts=conflicts, changes=len(merged.edits))


def list_passages(call: Call, given: PassagesInput) -> PassagesOutput:
    """A document's passages with what came of them. Raises Missing."""
    with call.tenant() as connection:
        rows = passages(connection, within(call, connection, given.project), given.id)
    return PassagesOutput(
        passages=[
            Passage.model_validate(
                {**row, "heading": harmless(row["heading"]), "text": harmless(row["text"])}
            )
            for row in rows
        ],
        left_out=rows[0]["of_all"] - len(rows) if rows else 0,
    )


def _run(call: Call, project: str | None) -> Run:
    with call.tenant() as connection:
        own = one_project(call, connection, project)
    client = call.principal.client
    writes = PageWrites(client, own, actor(call), lambda: call.now)
    return Run(call.database, client, own, Path(), writes, lambda: call.now)


OPERATIONS = (
    Operation(
        name="get_use_case_page",
        purpose="A use case with its items as one Markdown page that can be edited and saved.",
        input=GetPageInput,
        output=PageOutput,
        right=Right.READ,
        method="GET",
        path="/v1/pages/{number}",
        run=get_page,
        tag=TAG,
        tool=False,
    ),
    Operation(
        name="save_use_case_page",
        purpose="Save an edited use case page: where both sides changed, both stay and the page says so.",
        input=SavePageInput,
        output=PageOutput,
        right=Right.WRITE,
        method="PUT",
        path="/v1/pages/{number}",
        run=save_page,
        tag=TAG,
        tool=False,
    ),
    Operation(
        name="list_passages",
        purpose="Which passages does a document have, and which of them became drafts?",
        input=PassagesInput,
        output=PassagesOutput,
        right=Right.READ,
        method="GET",
        path="/v1/documents/{id}/passages",
        run=list_passages,
        tag=TAG,
        tool=False,
    ),
)
