"""Proposals for the backlog: made, looked at, and decided by a person."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from backlog import drafts, offers
from backlog.classify.offline import OfflineClassifier
from backlog.classify.run import classify as read_unread
from backlog.drafts import Edit
from schema.backlog import USE_CASE
from schema.drafts import KeptDraft
from schema.drafts import drafts as listed
from schema.ids import new_id
from schema.model import ModelError
from schema.records import Draft
from server.backlog import DraftId, Text, Title, Type, UseCase, Version, embed, origin, refusals, reindex
from server.errors import BadInput, ModelAway
from server.fields import Cursor, Limit, Next, OneProject
from server.operation import Call, Input, Operation, Output
from server.operations.backlog import TAG
from server.operations.backlog_outputs import DraftOutput, ItemOutput, draft_output, item_output
from server.paging import decoded, known_id, page
from server.principal import Right
from server.reach import actor, one_project
from server.redacted import redacted

DraftState = Literal["draft", "approved", "rejected", "merged"]
AT_ONCE = 60  # texts that one request has classified


def _waiting() -> list[DraftState]:
    return ["draft"]


class CreateEntityInput(Input):
    """What is proposed."""

    type: Type = Field(description="US use case, FE feature, BU bug, TA task, PO policy, RE requirement.")
    title: Title
    text: Text = ""
    parent: Annotated[
        str | None,
        Field(
            max_length=36,
            pattern="^[0-9A-Za-z-]+$",
            description="The use case it belongs to: an approved one's number (US1001) or a draft's id.",
        ),
    ] = None
    project: OneProject = None


class CreateEntityOutput(Output):
    """The draft, or what is known already."""

    draft: DraftOutput | None = Field(description="The new draft; null where it repeats what is known.")
    created: bool
    redactions: dict[str, int] = Field(description="What was taken out as a secret, by rule.")


class ListDraftsInput(Input):
    """Which drafts."""

    project: OneProject = None
    state: list[DraftState] = Field(
        default_factory=_waiting,
        max_length=4,
        description="In these states; those that wait without it.",
    )
    cursor: Cursor = None
    limit: Limit = 50


class ListDraftsOutput(Output):
    """Drafts, each use case followed by what belongs to it."""

    drafts: list[DraftOutput]
    next_cursor: Next = None


class DraftInput(Input):
    """Which draft."""

    id: DraftId
    project: OneProject = None


class EditDraftInput(DraftInput):
    """What to change; what is left out stays."""

    type: Type | None = None
    title: Title | None = None
    text: Text | None = None
    use_case: UseCase = None
    version: Version = None


class ApproveDraftInput(EditDraftInput):
    """Which draft, and what to change of it first."""

    whole: bool = Field(False, description="Also approve what waits below a use case draft.")


class ApproveDraftOutput(Output):
    """The items that were made: the use case that had to come first, then the draft's own, then what waited below."""

    items: list[ItemOutput]


class MergeDraftsInput(DraftInput):
    """Which draft goes where."""

    into: str = Field(
        min_length=4,
        max_length=36,
        pattern="^[0-9A-Za-z-]+$",
        description="Another draft's id, or an item's number.",
    )


class RejectDraftInput(DraftInput):
    """Which draft, and why."""

    reason: str = Field("", max_length=1000)
    whole: bool = Field(False, description="Also reject what waits below a use case draft.")


class RejectDraftOutput(Output):
    """What was rejected."""

    drafts: list[DraftOutput]


class ClassifyInput(Input):
    """Of which project."""

    project: OneProject = None


class ClassifyOutput(Output):
    """What was read and what came of it."""

    read: int = Field(description="How many prompts, commits, messages and passages were read.")
    added: int
    repeated: int = Field(description="What was known already: its evidence was added there.")
    rejected: int = Field(description="What rests on nothing but evidence of rejected drafts.")
    by: str
    more: bool = Field(description="Whether there is more to read: call it again.")


def create_entity(call: Call, given: CreateEntityInput) -> CreateEntityOutput:
    """Make a draft. Raises BadInput where the use case named is none."""
    client, caught = call.principal.client, dict[str, int]()
    title, words = redacted(given.title, caught), redacted(given.text, caught)
    if given.parent and given.type == "US":
        raise BadInput(what="parent", why="a use case belongs to no other")
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        home = drafts.home(connection, client, project, given.parent) if given.parent else None
        number = home if home and home.startswith(USE_CASE) else None
        proposal = Draft(
            type=given.type,
            title=title,
            text=words,
            key=new_id(),
            parent=None if number else home,
            use_case=number,
        )
        made = offers.offer(
            connection,
            client,
            project,
            [proposal],
            origin=origin(call),
            by=actor(call),
            now=call.now,
        )
        found = _by_ids(listed(connection, client, project), made.added)
    return CreateEntityOutput(
        draft=draft_output(found[0]) if found else None, created=bool(found), redactions=caught
    )


def list_drafts(call: Call, given: ListDraftsInput) -> ListDraftsOutput:
    """List a project's drafts."""
    after = known_id(decoded(given.cursor, 1)[0]) if given.cursor is not None else None
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        found = listed(
            connection,
            call.principal.client,
            project,
            states=given.state,
            limit=given.limit + 1,
            after=after,
        )
    shown, following = page(found, given.limit, lambda draft: (draft.id,))
    return ListDraftsOutput(drafts=[draft_output(draft) for draft in shown], next_cursor=following)


def approve_draft(call: Call, given: ApproveDraftInput) -> ApproveDraftOutput:
    """Make items of a draft. Raises Stale, and what the backlog refuses."""
    client = call.principal.client
    with refusals(), call.tenant() as connection:
        project = one_project(call, connection, given.project)
        made = drafts.approve(
            connection,
            client,
            project,
            given.id,
            by=actor(call),
            now=call.now,
            wanted=_edit(given),
            expected=given.version,
            whole=given.whole,
        )
        reindex(call, connection, project, {item.number for item in made})
    embed(call)
    return ApproveDraftOutput(items=[item_output(item) for item in made])


def edit_draft(call: Call, given: EditDraftInput) -> DraftOutput:
    """Change a draft that waits. Raises Stale, and what the backlog refuses."""
    if _edit(given) == Edit():
        raise BadInput(what="change", why="give a type, title, text or useCase")
    with refusals(), call.tenant() as connection:
        project = one_project(call, connection, given.project)
        draft = drafts.edit(
            connection,
            call.principal.client,
            project,
            given.id,
            _edit(given),
            now=call.now,
            expected=given.version,
        )
    return draft_output(draft)


def merge_drafts(call: Call, given: MergeDraftsInput) -> DraftOutput:
    """Fold a draft into another or into an item."""
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        draft = drafts.merge(
            connection,
            call.principal.client,
            project,
            given.id,
            given.into,
            by=actor(call),
            now=call.now,
        )
    return draft_output(draft)


def reject_draft(call: Call, given: RejectDraftInput) -> RejectDraftOutput:
    """Say no to a draft."""
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        gone = drafts.reject(
            connection,
            call.principal.client,
            project,
            given.id,
            by=actor(call),
            now=call.now,
            reason=given.reason,
            whole=given.whole,
        )
    return RejectDraftOutput(drafts=[draft_output(draft) for draft in gone])


def classify(call: Call, given: ClassifyInput) -> ClassifyOutput:
    """Read what nobody has read yet, a bounded part of it. Raises ModelAway; nothing is marked as read then."""
    make = call.options.get("classifier")
    classifier = make(call.database) if make is not None else OfflineClassifier()
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
    try:
        done = read_unread(
            call.database, call.principal.client, project, classifier, now=call.now, limit=AT_ONCE
        )
    except ModelError as error:
        raise ModelAway(why=str(error)) from error
    return ClassifyOutput(
        read=done.read,
        added=len(done.added),
        repeated=done.repeated,
        rejected=done.rejected,
        by=done.by or classifier.name,
        more=done.more,
    )


def _edit(given: EditDraftInput) -> Edit:
    return Edit(given.type, given.title, given.text, given.use_case)


def _by_ids(found: list[KeptDraft], ids: list[str]) -> list[KeptDraft]:
    return [draft for draft in found if draft.id in ids]


OPERATIONS = (
    Operation(
        name="create_entity",
        purpose=(
            "Propose a use case, feature, bug, task, policy or requirement. It becomes a draft: a person approves it "
            "and only then it gets its number. What repeats an item or a draft is not made again."
        ),
        input=CreateEntityInput,
        output=CreateEntityOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/drafts",
        run=create_entity,
        tag=TAG,
        status=201,
    ),
    Operation(
        name="list_drafts",
        purpose="Proposals for the backlog that wait for a person's decision, with the evidence each rests on.",
        input=ListDraftsInput,
        output=ListDraftsOutput,
        right=Right.READ,
        method="GET",
        path="/v1/drafts",
        run=list_drafts,
        tag=TAG,
    ),
    Operation(
        name="approve_draft",
        purpose=(
            "Make an item of a draft, with its number; the use case draft it belongs to is approved first. Only when "
            "the person decided so."
        ),
        input=ApproveDraftInput,
        output=ApproveDraftOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/drafts/{id}/approve",
        run=approve_draft,
        tag=TAG,
    ),
    Operation(
        name="edit_draft",
        purpose="Change the type, title, text or use case of a draft that waits.",
        input=EditDraftInput,
        output=DraftOutput,
        right=Right.WRITE,
        method="PATCH",
        path="/v1/drafts/{id}",
        run=edit_draft,
        tag=TAG,
    ),
    Operation(
        name="merge_drafts",
        purpose="Fold a draft into another draft or into an item that asks for the same; its evidence goes there.",
        input=MergeDraftsInput,
        output=DraftOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/drafts/{id}/merge",
        run=merge_drafts,
        tag=TAG,
    ),
    Operation(
        name="reject_draft",
        purpose="Say no to a draft; it does not come back from the same evidence. Only when the person decided so.",
        input=RejectDraftInput,
        output=RejectDraftOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/drafts/{id}/reject",
        run=reject_draft,
        tag=TAG,
    ),
    Operation(
        name="classify",
        purpose=(
            "Read the prompts, commits, messages and imported documents that nobody has read yet, and propose the work "
            "they ask for as drafts."
        ),
        input=ClassifyInput,
        output=ClassifyOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/backlog/classify",
        run=classify,
        tag=TAG,
    ),
)
