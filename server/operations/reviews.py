"""What waits for a person: proposals that speak against a fact and are not strong enough to replace it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from distill import changes
from distill.store import flags
from distill.store.flags import Flag
from recall.fence import harmless
from schema.ids import whole_id
from server.errors import BadInput
from server.fields import Cursor, Limit, Next, ProjectName
from server.operation import Call, Input, Operation, Output
from server.operations.facts import TAG, reindex
from server.paging import moment_and_id, page
from server.principal import Right
from server.reach import actor, within

ReviewId = Annotated[
    str, Field(min_length=1, max_length=36, pattern="^[0-9A-Fa-f-]+$", description="The review's id.")
]


class ListReviewsInput(Input):
    """Which reviews."""

    project: ProjectName = None
    fact: Annotated[
        str | None, Field(max_length=36, description="Only those that speak against the fact with this id.")
    ] = None
    state: Literal["open", "accepted", "rejected"] = Field("open", description="open, accepted or rejected.")
    cursor: Cursor = None
    limit: Limit = 20


class ReviewOutput(Output):
    """A proposal that code would not decide, beside the fact it speaks against."""

    id: str
    project_id: str
    fact: str = Field(description="The id of the fact that stands.")
    stands: str
    proposed: str
    value: str
    ends: bool = Field(description="Whether the proposal only ends the fact.")
    standing: str
    reason: str = Field(description="Why code did not decide.")
    state: str
    flagged_at: datetime
    decided_at: datetime | None
    decided_by: str | None


class ListReviewsOutput(Output):
    """Reviews, the longest waiting first."""

    reviews: list[ReviewOutput]
    next_cursor: Next = None


class ReviewInput(Input):
    """Which review."""

    id: ReviewId


def list_reviews(call: Call, given: ListReviewsInput) -> ListReviewsOutput:
    """List what waits for a decision, or was decided. Raises Missing, BadInput."""
    fact = None if given.fact is None else whole_id(given.fact)
    if given.fact is not None and fact is None:
        raise BadInput(what="fact", why="it is not the whole id of a fact")
    with call.tenant() as connection:
        rows = flags.listed(
            connection,
            within(call, connection, given.project),
            state=given.state,
            fact=fact,
            after=moment_and_id(given.cursor),
            limit=given.limit + 1,
        )
    shown, following = page(rows, given.limit, lambda row: (row.flagged_at, row.id))
    return ListReviewsOutput(reviews=[_review(row) for row in shown], next_cursor=following)


def accept_review(call: Call, given: ReviewInput) -> ReviewOutput:
    """Let the proposal have its way."""
    return _decided(call, given.id, accepted=True)


def reject_review(call: Call, given: ReviewInput) -> ReviewOutput:
    """Let the fact stand."""
    return _decided(call, given.id, accepted=False)


def _decided(call: Call, identifier: str, *, accepted: bool) -> ReviewOutput:
    with call.tenant() as connection:
        flag = flags.one(connection, within(call, connection), identifier)
        taken = changes.decide(
            connection, call.principal.client, flag.id, actor(call), call.now, accepted=accepted
        )
    if accepted:
        reindex(call, taken.project)
    return _review(taken)


def _review(flag: Flag) -> ReviewOutput:
    return ReviewOutput(
        id=flag.id,
        project_id=flag.project,
        fact=flag.fact,
        stands=harmless(flag.statement),
        proposed=harmless(flag.proposal.statement),
        value=harmless(flag.proposal.value),
        ends=flag.proposal.negated,
        standing=flag.proposal.standing.value,
        reason=harmless(flag.reason),
        state=flag.state,
        flagged_at=flag.flagged_at,
        decided_at=flag.decided_at,
        decided_by=flag.decided_by,
    )


OPERATIONS = (
    Operation(
        name="list_reviews",
        purpose=(
            "What waits for a person's decision: statements that contradict a fact without being strong enough to "
            "replace it, each beside the fact that stands."
        ),
        input=ListReviewsInput,
        output=ListReviewsOutput,
        right=Right.READ,
        method="GET",
        path="/v1/reviews",
        run=list_reviews,
        tag=TAG,
    ),
    Operation(
        name="accept_review",
        purpose="Let the proposal replace (or end) the fact that stands. Only when the person decided so.",
        input=ReviewInput,
        output=ReviewOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/reviews/{id}/accept",
        run=accept_review,
        tag=TAG,
    ),
    Operation(
        name="reject_review",
        purpose=(
            "Let the fact stand; the same proposal comes back only with newer evidence. Only when the person decided "
            "so."
        ),
        input=ReviewInput,
        output=ReviewOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/reviews/{id}/reject",
        run=reject_review,
        tag=TAG,
    ),
)
