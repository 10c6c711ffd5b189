"""What an agent or a person says on purpose: a dated event, kept once and found at once."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from distill.store import events
from recall.run import embed_some, index_event
from schema import history
from schema.errors import NotFound
from schema.records import EventKind
from schema.scope import Scope
from server.errors import BadInput, Missing
from server.fields import Moment, Name, OneProject, Paths
from server.operation import Call, Input, Operation, Output
from server.operations.outputs import EventOutput, event_output
from server.principal import Right
from server.reach import actor, one_project, session_of
from server.redacted import redacted

TAG = "History"
MOST_TITLE, MOST_TEXT = 200, 20_000


class RecordEventInput(Input):
    """What happened."""

    kind: Literal["decision", "convention", "component", "fix", "dead_end", "question"] = Field(
        description="decision, convention, component, fix, dead_end (tried, and why it failed) or question (open)."
    )
    title: str = Field(min_length=1, max_length=MOST_TITLE, description="One line that says it all.")
    text: str = Field(
        "", max_length=MOST_TEXT, description="The reasons, and what else somebody must know later."
    )
    project: OneProject = None
    session: Annotated[
        Name | None, Field(description="The session it happened in, by our id or the agent's own.")
    ] = None
    files: Paths = Field(default_factory=list, description="Files it is about, as the repository has them.")
    at: Annotated[Moment | None, Field(description="When it happened; now where it is left out.")] = None
    answers: Annotated[
        str | None, Field(max_length=36, description="The id of the open question that it answers.")
    ] = None


class RecordEventOutput(Output):
    """The event as it is kept."""

    event: EventOutput
    recorded: bool = Field(description="False where the same words were recorded before.")
    redactions: dict[str, int] = Field(description="What was taken out as a secret, by rule.")


def record_event(call: Call, given: RecordEventInput) -> RecordEventOutput:
    """Keep an event without its secrets and let recall see it. Raises Missing, BadInput."""
    if given.at is not None and given.at > call.now:
        raise BadInput(what="at", why="it lies in the future")
    caught: dict[str, int] = {}
    title, words = redacted(given.title, caught), redacted(given.text, caught)
    files = tuple(dict.fromkeys(redacted(path, caught) for path in given.files))
    client = call.principal.client
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        scope = Scope(client, (project,), call.principal.user)
        kept = events.record(
            connection,
            client,
            project,
            EventKind(given.kind),
            title[:MOST_TITLE],
            words,
            at=given.at or call.now,
            now=call.now,
            author=actor(call),
            session=session_of(connection, scope, given.session, whole=True) if given.session else None,
            files=files,
        )
        if given.answers is not None:
            try:
                events.answer(connection, scope, given.answers, kept.id)
            except NotFound:
                raise Missing(what="open question", name=given.answers) from None
        if kept.new:
            index_event(connection, client, kept.id)
        row = history.event(connection, scope, kept.id)
    if kept.new:
        embed_some(call.database, client, call.embedder())
    return RecordEventOutput(event=event_output(row), recorded=kept.new, redactions=caught)


OPERATIONS = (
    Operation(
        name="record_event",
        purpose=(
            "Note a decision and its reasons, a convention, a new component, a fix and its cause, a dead end or an "
            "open question the moment it happens, so that the next session knows. Without secrets; the same words "
            "twice are kept once. It is found at once; what becomes a fact is decided when the session is distilled."
        ),
        input=RecordEventInput,
        output=RecordEventOutput,
        right=Right.WRITE,
        method="POST",
        path="/v1/events",
        run=record_event,
        tag=TAG,
        status=201,
    ),
)
