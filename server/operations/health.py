"""The state of the memory, for whoever holds a token."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schema.reading import dispositions
from server.operation import Call, Input, Operation, Output
from server.principal import Right


class HealthInput(Input):
    """Nothing needs to be said."""


class Health(Output):
    """What became of the captured events of this client."""

    status: Literal["ok"] = "ok"
    stored: int = Field(description="Events kept.")
    merged: int = Field(description="Events that were the same as one kept.")
    redelivered: int = Field(description="Events that arrived again.")
    quarantined: int = Field(description="Events that could not be stored and wait for a decision.")


def health(call: Call, _: HealthInput) -> Health:
    """Count what became of the client's events."""
    with call.tenant() as connection:
        return Health(**dispositions(connection, call.principal.client))


OPERATIONS = (
    Operation(
        name="health",
        purpose="Whether the memory answers, and what became of the events that were captured.",
        input=HealthInput,
        output=Health,
        right=Right.READ,
        method="GET",
        path="/v1/health",
        run=health,
        tag="Memory model",
    ),
)
