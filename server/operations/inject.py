"""What a session or a prompt is told without asking: for the shipper and the hooks of a machine."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from recall.errors import BadQuestion
from recall.fence import fenced
from recall.search import recall
from schema import uses
from schema.projects import lookup
from schema.scope import Scope
from server.brief.render import render
from server.brief.state import load
from server.operation import Call, Input, Operation, Output
from server.principal import Right
from server.reach import everywhere, within

MOST_PROJECTS = 50
KINDS = ("fact", "event", "memory", "item")
HITS, BUDGET = 3, 500
Key = Annotated[str, Field(min_length=1, max_length=4096)]
Stamp = Annotated[str, Field(max_length=64)]


class BriefsInput(Input):
    """What is known already."""

    known: dict[str, Stamp] = Field(
        default_factory=dict, max_length=1000, description="The stamp last got for each project's id."
    )


class ProjectBrief(Output):
    """A project's brief; empty where nothing is known of it."""

    project: str
    stamp: str
    keys: list[str] = Field(description="What the project is known by on a machine.")
    brief: str = Field(description="Which brief it is.")
    fenced: str


class Briefs(Output):
    """The briefs that may be others now, and the projects that have one."""

    briefs: list[ProjectBrief]
    projects: list[str] = Field(description="The fifty worked on most lately.")


class ContextInput(Input):
    """A prompt, already redacted, and where it is said."""

    prompt: Annotated[str, Field(max_length=8000)]
    keys: list[Key] = Field(default_factory=list, max_length=8, description="What the project is known by.")


class Context(Output):
    """What is known of it; empty where nothing is."""

    text: str


class UsesInput(Input):
    """Of what kind."""

    kind: Literal["fact", "event", "summary", "memory", "item", "session"] | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class Use(Output):
    """How often one thing was of use."""

    kind: str
    ref: str
    injected: int = Field(description="In how many sessions and prompts it was told without asking.")
    opened: int = Field(description="How often somebody opened it in full.")
    cited: int = Field(description="In how many replies an agent named it.")
    used_at: datetime


class Uses(Output):
    """The most used first."""

    uses: list[Use]
    more: bool = Field(description="Whether there are more than `limit` lets through.")


def list_uses(call: Call, given: UsesInput) -> Uses:
    """Say what was of use. Raises NotAllowed."""
    everywhere(call, "what was of use")
    with call.tenant() as connection:
        found = uses.used(connection, within(call, connection), given.kind, given.limit + 1)
    told = [Use.model_validate(one) for one in found[: given.limit]]
    return Uses(uses=told, more=len(found) > given.limit)


def list_briefs(call: Call, given: BriefsInput) -> Briefs:
    """Render the briefs of the projects worked on most lately, where something changed."""
    client, made, present = call.principal.client, [], []
    with call.tenant() as connection:
        scope = within(call, connection)
        for one in uses.stamps(connection, scope, MOST_PROJECTS):
            present.append(one["project"])
            if given.known.get(one["project"]) == one["stamp"]:
                continue
            brief = render(load(connection, scope, one["project"]))
            if brief.ident:
                uses.keep(connection, client, one["project"], brief.ident, brief.refs, call.now)
            made.append(
                ProjectBrief(
                    project=one["project"],
                    stamp=one["stamp"],
                    keys=one["keys"],
                    brief=brief.ident,
                    fenced=brief.text,
                )
            )
    return Briefs(briefs=made, projects=present)


def prompt_context(call: Call, given: ContextInput) -> Context:
    """Recall for a prompt, within its project, as far as something clearly belongs to it."""
    client = call.principal.client
    with call.tenant() as connection:
        project = lookup(connection, client, given.keys)
    if project is None or not call.principal.sees(project):
        return Context(text="")
    try:
        answer = recall(
            call.database,
            Scope(client, (project,), call.principal.user),
            given.prompt,
            kinds=KINDS,
            limit=HITS,
            budget=BUDGET,
            embedder=call.embedder(),
            now=call.now,
        )
    except BadQuestion:
        return Context(text="")
    if answer.nothing:
        return Context(text="")
    with call.tenant() as connection:
        shared = {(hit.kind, hit.ref): 1 for hit in answer.hits}
        uses.count(connection, client, uses.INJECTED, shared, call.now, call.principal.user)
    return Context(text=fenced(answer))


OPERATIONS = (
    Operation(
        name="list_uses",
        purpose="Which memories were of use: how often each was injected, opened and cited.",
        input=UsesInput,
        output=Uses,
        right=Right.READ,
        method="GET",
        path="/v1/uses",
        run=list_uses,
        tag="Search",
        tool=False,
    ),
    Operation(
        name="list_briefs",
        purpose="What sessions of each project should begin with, for the machine that injects it.",
        input=BriefsInput,
        output=Briefs,
        right=Right.READ,
        method="POST",
        path="/v1/briefs",
        run=list_briefs,
        tag="Search",
        tool=False,
    ),
    Operation(
        name="prompt_context",
        purpose="What is known of a prompt, for the hook that injects it; empty where nothing clearly belongs to it.",
        input=ContextInput,
        output=Context,
        right=Right.READ,
        method="POST",
        path="/v1/context",
        run=prompt_context,
        tag="Search",
        tool=False,
    ),
)
