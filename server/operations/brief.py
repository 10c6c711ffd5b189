"""What a session should know before it begins."""

from __future__ import annotations

from pydantic import Field

from server.brief.render import render, tokens
from server.brief.state import load
from server.fields import OneProject, Paths
from server.operation import Call, Input, Operation, Output
from server.principal import Right
from server.reach import one_project, within


class BootstrapInput(Input):
    """Where a session begins."""

    project: OneProject = None
    files: Paths = Field(
        default_factory=list,
        description="Files or folders it is about: facts that come from them stand first.",
    )


class BootstrapOutput(Output):
    """The brief; empty where nothing is known of the project yet."""

    fenced: str = Field(description="The brief inside a fence that marks it as data: under 1,000 tokens.")
    brief: str = Field(description="Which brief it is: the same for the same text.")
    project: str = Field(description="The project's id.")
    tokens: int = Field(description="About how many tokens it costs, rather too many.")
    refs: list[str] = Field(description="What it tells of, as `kind:id`.")


def bootstrap_session(call: Call, given: BootstrapInput) -> BootstrapOutput:
    """Say what matters in a project. Raises Missing, BadInput."""
    with call.tenant() as connection:
        project = one_project(call, connection, given.project)
        state = load(connection, within(call, connection, project), project, given.files)
    brief = render(state)
    return BootstrapOutput(
        fenced=brief.text,
        brief=brief.ident,
        project=project,
        tokens=tokens(brief.text),
        refs=list(brief.refs),
    )


OPERATIONS = (
    Operation(
        name="bootstrap_session",
        purpose=(
            "Call this first in a session: what is known of the project in under 1,000 tokens. What persons decided "
            "and agreed on, its stack, open work, open questions and what the last sessions came to, with the origin "
            "of each."
        ),
        input=BootstrapInput,
        output=BootstrapOutput,
        right=Right.READ,
        method="GET",
        path="/v1/brief",
        run=bootstrap_session,
        tag="Search",
    ),
)
