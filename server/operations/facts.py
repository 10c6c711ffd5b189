"""What is true of a project, with its history; and a person's corrections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field, model_validator
from sqlalchemy import Connection

from distill import changes
from distill.slots import canonical
from distill.store import facts as store
from distill.store.listing import Place, Wanted, life, listed
from recall.run import embed_some, index_facts
from schema.records import Fact
from server.fields import AsOf, Cursor, Limit, Moment, Name, Next, ProjectName
from server.operation import Call, Input, Operation, Output
from server.operations.outputs import FactOutput, fact_output
from server.paging import decoded, known_id, moment, page
from server.principal import Right
from server.reach import actor, within
from server.redacted import redacted

TAG = "Facts"
MOST_VERSIONS = 200
Kind = Literal["stack", "pattern", "convention", "constraint", "component", "decision", "general"]
FactId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=36,
        pattern="^[0-9A-Fa-f-]+$",
        description="The fact's id, or as many of its first characters as no other fact's has.",
    ),
]


class ListFactsInput(Input):
    """Which facts."""

    project: ProjectName = None
    subject: Annotated[Name | None, Field(description="Only about this subject, as 'database' or 'api'.")] = (
        None
    )
    kind: Annotated[
        Kind | None,
        Field(description="stack, pattern, convention, constraint, component, decision or general."),
    ] = None
    standing: Annotated[
        Literal["code", "person", "model"] | None,
        Field(description="How it is known: code (proved there), person (said so), model (inferred)."),
    ] = None
    pinned: Annotated[bool | None, Field(description="Only pinned ones, or only others.")] = None
    text: Annotated[
        str | None,
        Field(min_length=1, max_length=200, description="Words that stand in the statement as they are."),
    ] = None
    file: Annotated[
        str | None, Field(min_length=1, max_length=1000, description="Only facts that come from this file.")
    ] = None
    as_of: AsOf = None
    known_at: Annotated[Moment | None, Field(description="As it was believed at this time.")] = None
    history: bool = Field(False, description="Also what is true no longer.")
    cursor: Cursor = None
    limit: Limit = 50


class ListFactsOutput(Output):
    """Facts by subject; one subject's in the order of time."""

    facts: list[FactOutput]
    next_cursor: Next = None


class GetFactInput(Input):
    """Which fact."""

    id: FactId


class LifeOutput(Output):
    """A fact and all it went through."""

    fact: FactOutput = Field(description="As it is believed now.")
    versions: list[FactOutput] = Field(
        description="Every version, oldest first, with the reason of each change."
    )
    more: bool = Field(
        description="Whether there are versions before these: the latest two hundred are told."
    )


class RetireFactInput(Input):
    """A fact that is true no longer."""

    id: FactId
    reason: str = Field("", max_length=500, description="Why it is true no longer.")


class PinFactInput(Input):
    """A fact to pin or to unpin."""

    id: FactId
    pinned: bool = Field(True, description="False unpins it.")


class EditFactInput(Input):
    """A fact's better wording, or its right value."""

    id: FactId
    statement: str = Field("", max_length=2000, description="The sentence to show.")
    value: str = Field("", max_length=500, description="The value itself.")

    @model_validator(mode="after")
    def _something(self) -> EditFactInput:
        if not (self.statement or self.value):
            raise ValueError("say what to change: statement, value or both")
        return self


def list_facts(call: Call, given: ListFactsInput) -> ListFactsOutput:
    """List facts. Raises Missing, BadInput."""
    wanted = Wanted(
        subject=canonical(given.subject) if given.subject else None,
        kind=given.kind,
        standing=given.standing,
        pinned=given.pinned,
        words=given.text,
        file=given.file,
    )
    with call.tenant() as connection:
        rows = listed(
            connection,
            within(call, connection, given.project),
            wanted,
            as_of=given.as_of,
            known_at=given.known_at,
            history=given.history,
            after=_place(given.cursor),
            limit=given.limit + 1,
        )
    shown, following = page(rows, given.limit, lambda row: row.place)
    return ListFactsOutput(facts=[fact_output(row) for row in shown], next_cursor=following)


def get_fact(call: Call, given: GetFactInput) -> LifeOutput:
    """Show one fact with its versions. Raises Missing."""
    with call.tenant() as connection:
        _, fact = _found(call, connection, given.id)
        return _life(call, connection, fact.id)


def retire_fact(call: Call, given: RetireFactInput) -> LifeOutput:
    """Close a fact."""
    reason = redacted(given.reason, {})
    return _changed(
        call,
        given.id,
        lambda c, fact: changes.retire(c, call.principal.client, fact, actor(call), reason, call.now),
    )


def restore_fact(call: Call, given: GetFactInput) -> LifeOutput:
    """Undo what ended a fact."""
    return _changed(
        call, given.id, lambda c, fact: changes.restore(c, call.principal.client, fact, actor(call), call.now)
    )


def confirm_fact(call: Call, given: GetFactInput) -> LifeOutput:
    """Stand by a fact."""
    return _changed(
        call, given.id, lambda c, fact: changes.confirm(c, call.principal.client, fact, actor(call), call.now)
    )


def pin_fact(call: Call, given: PinFactInput) -> LifeOutput:
    """Pin or unpin a fact."""
    return _changed(
        call, given.id, lambda c, fact: changes.pin(c, call.principal.client, fact, given.pinned, call.now)
    )


def edit_fact(call: Call, given: EditFactInput) -> LifeOutput:
    """Reword a fact or correct its value."""
    statement, value = redacted(given.statement, {}), redacted(given.value, {})
    return _changed(
        call,
        given.id,
        lambda c, fact: changes.edit(
            c, call.principal.client, fact, actor(call), call.now, statement=statement, value=value
        ),
    )


def _place(cursor: str | None) -> Place | None:
    if cursor is None:
        return None
    subject, attribute, scope, since, version = decoded(cursor, 5)
    return subject, attribute, scope, moment(since), known_id(version)


def _found(call: Call, connection: Connection, identifier: str) -> tuple[str, Fact]:
    """The project and the believed version of a fact in reach; one beyond it is not there. Raises NoSuchFact."""
    return store.find(connection, call.principal.client, identifier, call.principal.projects)


def _life(call: Call, connection: Connection, fact: str) -> LifeOutput:
    found = life(connection, within(call, connection), fact, limit=MOST_VERSIONS + 1)
    versions = found[-MOST_VERSIONS:]
    believed = next((row for row in reversed(versions) if row.fact.retired_at is None), versions[-1])
    return LifeOutput(
        fact=fact_output(believed),
        versions=[fact_output(row) for row in versions],
        more=len(found) > MOST_VERSIONS,
    )


def _changed(call: Call, identifier: str, change: Callable[[Connection, str], Fact]) -> LifeOutput:
    """Change one fact in a transaction of its own, then let recall see it."""
    with call.tenant() as connection:
        project, known = _found(call, connection, identifier)
        change(connection, known.id)
        told = _life(call, connection, known.id)
    reindex(call, project)
    return told


def reindex(call: Call, project: str) -> None:
    """Let recall see a project's facts as they are believed now; after the change is committed."""
    index_facts(call.database, call.principal.client, project, since=call.now)
    embed_some(call.database, call.principal.client, call.embedder())


OPERATIONS = (
    Operation(
        name="list_facts",
        purpose=(
            "What is true of this project now? Its stack, conventions, decisions, constraints and components, one "
            "statement each, with how it is known and since when. With asOf what was true then, with knownAt what was "
            "believed then, with history also what has ended."
        ),
        input=ListFactsInput,
        output=ListFactsOutput,
        right=Right.READ,
        method="GET",
        path="/v1/facts",
        run=list_facts,
        tag=TAG,
    ),
    Operation(
        name="get_fact",
        purpose="Show one fact with every version it had, why each changed, and the evidence behind it.",
        input=GetFactInput,
        output=LifeOutput,
        right=Right.READ,
        method="GET",
        path="/v1/facts/{id}",
        run=get_fact,
        tag=TAG,
    ),
    Operation(
        name="retire_fact",
        purpose="Close a fact that is true no longer, with the reason. It stays in the history and can be restored.",
        input=RetireFactInput,
        output=LifeOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/facts/{id}/retire",
        run=retire_fact,
        tag=TAG,
    ),
    Operation(
        name="restore_fact",
        purpose="Undo what ended a fact, so that what is current is exactly as it was before.",
        input=GetFactInput,
        output=LifeOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/facts/{id}/restore",
        run=restore_fact,
        tag=TAG,
    ),
    Operation(
        name="confirm_fact",
        purpose="Stand by a fact: from now on it counts as a person's word. Only when the person said so.",
        input=GetFactInput,
        output=LifeOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/facts/{id}/confirm",
        run=confirm_fact,
        tag=TAG,
    ),
    Operation(
        name="pin_fact",
        purpose="Pin a fact, so that nothing replaces it without a person's review; or unpin it.",
        input=PinFactInput,
        output=LifeOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/facts/{id}/pin",
        run=pin_fact,
        tag=TAG,
    ),
    Operation(
        name="edit_fact",
        purpose="Reword a fact or correct its value, as a person's word. The old wording stays in the history.",
        input=EditFactInput,
        output=LifeOutput,
        right=Right.WRITE,
        method="PATCH",
        path="/v1/facts/{id}",
        run=edit_fact,
        tag=TAG,
    ),
)
