"""The health strip: what waits and since when, what was caught, what the model cost: the numbers of `status`."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from distill.spend import MICRO
from distill.store.spend import spent_on
from schema.health import caught, undistilled
from schema.reading import dispositions
from server.operation import Call, Input, Operation, Output
from server.principal import Right


class PulseInput(Input):
    """Nothing needs to be said."""


class Pulse(Output):
    """One look. Ages are in seconds, null where nothing waits or nobody measures it."""

    counts: dict[str, int] = Field(
        description="received, stored, merged, redelivered, quarantined, pending, spooled."
    )
    agree: bool = Field(description="Whether every received event is accounted for.")
    oldest_pending: float | None
    oldest_spooled: float | None
    oldest_undistilled: float | None
    undistilled: int
    secrets: dict[str, int] = Field(description="How often each rule caught a secret.")
    spent_usd: float = Field(description="What the model cost today.")
    cap_usd: float | None = Field(description="What it may cost a day.")
    problems: list[str]


def pulse(call: Call, _: PulseInput) -> Pulse:
    """Look at the database; ``measure`` of the options looks at the queue and the spool."""
    client = call.principal.client
    with call.tenant() as connection:
        spent = spent_on(connection, client, call.now.date()) / MICRO
        waiting, since = undistilled(connection, client)
        values: dict[str, Any] = {
            "counts": dispositions(connection, client),
            "agree": True,
            "oldest_pending": None,
            "oldest_spooled": None,
            "oldest_undistilled": None if since is None else max(0.0, (call.now - since).total_seconds()),
            "undistilled": waiting,
            "secrets": caught(connection, client),
            "problems": [],
        }
    if (measure := call.options.get("measure")) is not None:
        values |= measure(client)
    return Pulse(**values, spent_usd=spent, cap_usd=call.options.get("daily_usd"))


OPERATIONS = (
    Operation(
        name="pulse",
        purpose="How the memory does at this moment: what waits, what was caught, what the model cost today.",
        input=PulseInput,
        output=Pulse,
        right=Right.READ,
        method="GET",
        path="/v1/pulse",
        run=pulse,
        tag="Viewer",
        tool=False,
    ),
)
