"""Whether all is well, in one word and a few sentences."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from server.operation import Call, Input, Operation, Output
from server.operations.state import TAG, CountsOutput, look
from server.principal import Right


class HealthInput(Input):
    """Nothing needs to be said."""


class Health(Output):
    """Whether what was captured gets where it should."""

    status: Literal["ok", "degraded"] = Field(description="degraded where something stands still.")
    problems: list[str] = Field(description="What stands still, one sentence each.")
    counts: CountsOutput | None = Field(
        description="What became of the events; null for who is held to some projects."
    )


def health(call: Call, _: HealthInput) -> Health:
    """Look at the database and, where it can be reached from here, at the queue and its workers."""
    seen = look(call)
    counts = seen["counts"] if call.principal.projects is None else None
    return Health(status="degraded" if seen["problems"] else "ok", problems=seen["problems"], counts=counts)


OPERATIONS = (
    Operation(
        name="health",
        purpose="Does the memory answer, and does what is captured get where it should? One word, and what is wrong.",
        input=HealthInput,
        output=Health,
        right=Right.READ,
        method="GET",
        path="/v1/health",
        run=health,
        tag=TAG,
    ),
)
