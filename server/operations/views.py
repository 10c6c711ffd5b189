"""What the viewer shows and no agent asks for: its frame, the end of the stream, deletions that can be undone."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field
from sqlalchemy import Connection

from schema import held, tail
from schema.frame import awaited, names
from schema.scope import Scope
from server.errors import Missing, NotAllowed
from server.memory import bank, kept
from server.operation import Call, Input, Operation, Output
from server.principal import Right

TAG = "Viewer"
UNDO_FOR = timedelta(seconds=6)
Name = Annotated[str, Field(min_length=1, max_length=300)]
MemoryId = Annotated[
    str,
    Field(
        pattern=r"^(mem_[0-9a-z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$",
        description="The id of a saved memory, or of what is remembered under a key.",
    ),
]


class FrameInput(Input):
    """Which project is looked at."""

    project: Name | None = None


class ProjectName(Output):
    """A project: ``key`` is what an address says, the name where no other project has it."""

    id: str
    key: str
    name: str = Field(description="With its place where another project has the same name.")


class Held(Output):
    """A deletion that can be undone until its moment."""

    memory: str
    due_at: datetime


class Frame(Output):
    """What every page shows beside its own."""

    projects: list[ProjectName] = Field(description="By name, the first five hundred.")
    projects_left_out: int = Field(description="How many more there are.")
    flags: int = Field(description="Proposals that wait in the review queue.")
    drafts: int = Field(description="Drafts that wait for approval.")
    held: list[Held]


class TailInput(Input):
    """Which part of the stream."""

    project: Name | None = None
    since: str | None = Field(
        None, max_length=40, description="From this entry on; the newest where it is not told."
    )
    looked: int = Field(
        200, ge=1, le=tail.LOOKED_AT, description="How many of the newest entries are looked at."
    )


class Arrived(Output):
    """One arrival: what it became, or was merged into (then ``count`` says how many are one)."""

    entry: str
    disposition: str
    kind: str
    id: str
    at: datetime
    session: str | None
    project_id: str
    project: str
    agent: str | None
    agent_session: str | None
    who: str | None
    what: str | None
    chars: int
    outcome: str | None
    exit_code: int | None
    ms: int | None
    count: int
    subagent_type: str | None


class Tail(Output):
    """Arrivals in their order, and the entry to go on from."""

    arrived: list[Arrived]
    end: str


class HoldInput(Input):
    """Which memory."""

    id: MemoryId


class Undone(Output):
    """Whether it was in time."""

    undone: bool


def frame(call: Call, given: FrameInput) -> Frame:
    """Projects, what waits for a person, and what can be undone."""
    who = call.principal
    with call.tenant() as connection:
        projects, more = names(connection, Scope(who.client, who.projects))
        waits = awaited(connection, Scope(who.client, call.projects(connection, given.project), who.user))
        waiting = held.waiting(connection, who.client, who.user)
    told = Counter(name for _, name, _ in projects)
    return Frame(
        projects=[
            ProjectName(id=project, key=name, name=name)
            if told[name] == 1
            else ProjectName(id=project, key=project, name=f"{name} ({place})")
            for project, name, place in projects
        ],
        projects_left_out=more,
        flags=waits["flags"],
        drafts=waits["drafts"],
        held=[Held.model_validate(one) for one in waiting if one["due_at"] > call.now],
    )


def read_tail(call: Call, given: TailInput) -> Tail:
    """The end of the stream."""
    who = call.principal
    with call.tenant() as connection:
        scope = Scope(who.client, call.projects(connection, given.project), who.user)
        if given.since is None:
            end = tail.end(connection, who.client)
            rows = tail.last(connection, scope, looked=given.looked)
        else:
            end = tail.reached(connection, who.client, given.since)
            rows = tail.since(connection, scope, given.since)
    return Tail(arrived=[Arrived.model_validate(row) for row in rows], end=end)


def hold(call: Call, given: HoldInput) -> Held:
    """Delete one of the caller's own memories, or what is remembered under a key, in six seconds."""
    who = call.principal
    due = call.now + UNDO_FOR
    with call.tenant() as connection:
        if not _there(call, connection, given.id):
            raise Missing(what="memory", name=given.id)
        if who.token is None:
            raise NotAllowed(why="a deletion that can be undone needs a token")
        stands = held.hold(connection, who.client, given.id, who.user, who.token, due)
    return Held(memory=given.id, due_at=stands)


def _there(call: Call, connection: Connection, identifier: str) -> bool:
    who = call.principal
    if identifier.startswith("mem_"):
        return bool(bank.these(connection, bank.Owner(who.client, who.user, who.agent), [identifier]))
    return bool(kept.listed(connection, kept.Reach(who, who.projects), only=identifier, limit=1))


def undo(call: Call, given: HoldInput) -> Undone:
    """Take a deletion back."""
    who = call.principal
    with call.tenant() as connection:
        return Undone(undone=held.undo(connection, who.client, given.id, who.user, call.now))


OPERATIONS = (
    Operation(
        name="viewer_frame",
        purpose="What the viewer shows on every page: projects, how much waits for a person, what can be undone.",
        input=FrameInput,
        output=Frame,
        right=Right.READ,
        method="GET",
        path="/v1/viewer/frame",
        run=frame,
        tag=TAG,
        tool=False,
    ),
    Operation(
        name="viewer_tail",
        purpose="The end of the stream: what was just captured, in the order of its arrival.",
        input=TailInput,
        output=Tail,
        right=Right.READ,
        method="GET",
        path="/v1/viewer/tail",
        run=read_tail,
        tag=TAG,
        tool=False,
    ),
    Operation(
        name="hold_deletion",
        purpose="Delete a saved memory or a remembered key in six seconds; until then it can be undone.",
        input=HoldInput,
        output=Held,
        right=Right.WRITE,
        method="POST",
        path="/v1/viewer/deletions",
        run=hold,
        tag=TAG,
        tool=False,
    ),
    Operation(
        name="undo_deletion",
        purpose="Take back the deletion of a memory within its six seconds.",
        input=HoldInput,
        output=Undone,
        right=Right.WRITE,
        method="DELETE",
        path="/v1/viewer/deletions/{id}",
        run=undo,
        tag=TAG,
        tool=False,
    ),
)
