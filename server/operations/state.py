"""How the memory does: what became of every event, what the model cost, what could not be stored."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import Field

from distill.spend import MICRO
from distill.store.spend import by_day, by_session, spent_on
from schema.health import caught, undistilled
from schema.reading import dispositions, quarantined
from server.fields import Cursor, Limit, Next
from server.operation import Call, Input, Operation, Output
from server.paging import moment_and_id, page
from server.principal import Right
from server.reach import everywhere

TAG = "State"


class StatusInput(Input):
    """Nothing needs to be said."""


class CountsOutput(Output):
    """What became of the captured events: received = stored + merged + redelivered + quarantined + pending."""

    received: int | None = Field(None, description="Null where the queue is not asked.")
    stored: int
    merged: int
    redelivered: int
    quarantined: int
    pending: int | None = Field(None, description="Still in the queue; null where it is not asked.")
    spooled: int | None = Field(None, description="Still on this machine's disk; null where it is not asked.")
    refused: int | None = None


class SpentOutput(Output):
    """What the model cost today, against its cap."""

    today_usd: float
    cap_usd: float | None = Field(description="Null where no cap is known here.")
    reached: bool


class StatusOutput(Output):
    """The numbers of `limbeck status`, without what only its machine knows. Ages are in seconds."""

    counts: CountsOutput
    agree: bool | None = Field(
        description="Whether every received event is accounted for; null where nobody asked."
    )
    oldest_pending: float | None
    oldest_spooled: float | None
    oldest_undistilled: float | None = Field(
        description="How long the oldest ended session waits to be distilled."
    )
    undistilled: int
    secrets: dict[str, int] = Field(description="How often each rule caught a secret; never what.")
    spend: SpentOutput
    problems: list[str] = Field(description="What stands still, one sentence each; empty where all is well.")


class SpendInput(Input):
    """How far back."""

    days: Annotated[int, Field(ge=1, le=366, description="How many days (of each model) at most.")] = 30
    sessions: Annotated[int, Field(ge=0, le=100, description="How many of the sessions distilled last.")] = 20


class DayOutput(Output):
    """One day's calls of one model."""

    day: date
    model: str
    calls: int
    refused: int = Field(description="Calls the provider refused before it did any work.")
    lost: int = Field(description="Calls whose price nobody knows; they count in full.")
    input: int
    output: int
    usd: float
    reserved_usd: float = Field(description="Taken for calls that are under way.")


class SessionSpendOutput(Output):
    """One session's calls."""

    session: str | None
    project: str
    calls: int
    tokens: int
    usd: float
    last_at: datetime


class SpendOutput(Output):
    """What the model cost. Without a key everything is distilled offline, and this is empty."""

    today: SpentOutput
    session_cap_usd: float | None
    days: list[DayOutput]
    sessions: list[SessionSpendOutput]


class QuarantineInput(Input):
    """Which events."""

    everything: bool = Field(False, description="Also those that were given up.")
    cursor: Cursor = None
    limit: Limit = 20


class QuarantinedOutput(Output):
    """An event that could not be stored. Its content is not told here."""

    id: str
    reason: str
    attempts: int
    state: str = Field(description="held or dropped.")
    quarantined_at: datetime


class QuarantineOutput(Output):
    """Events that could not be stored, the latest first."""

    events: list[QuarantinedOutput]
    next_cursor: Next = None


def status(call: Call, _: StatusInput) -> StatusOutput:
    """Count what became of the events. Raises NotAllowed."""
    everywhere(call, "the state")
    return StatusOutput(**look(call), spend=_today(call))


def look(call: Call) -> dict[str, Any]:
    """The numbers of ``StatusOutput`` but for the spend; ``measure`` of the options also looks at the queue."""
    client = call.principal.client
    with call.tenant() as connection:
        waiting, since = undistilled(connection, client)
        values: dict[str, Any] = {
            "counts": dispositions(connection, client),
            "agree": None,
            "oldest_pending": None,
            "oldest_spooled": None,
            "oldest_undistilled": None if since is None else max(0.0, (call.now - since).total_seconds()),
            "undistilled": waiting,
            "secrets": caught(connection, client),
            "problems": [],
        }
    if (measure := call.options.get("measure")) is not None:
        values |= measure(client)
    return values


def spend(call: Call, given: SpendInput) -> SpendOutput:
    """What the model cost, by day and by session. Raises NotAllowed."""
    everywhere(call, "the spend")
    client = call.principal.client
    with call.tenant() as connection:
        days = by_day(connection, client, days=given.days)
        sessions = by_session(connection, client, limit=given.sessions)
    return SpendOutput(
        today=_today(call),
        session_cap_usd=call.options.get("session_usd"),
        days=[
            DayOutput(**row, usd=row["microusd"] / MICRO, reserved_usd=row["reserved"] / MICRO)
            for row in days
        ],
        sessions=[SessionSpendOutput(**row, usd=row["microusd"] / MICRO) for row in sessions],
    )


def list_quarantine(call: Call, given: QuarantineInput) -> QuarantineOutput:
    """List what could not be stored. Raises NotAllowed, BadInput."""
    everywhere(call, "the quarantine")
    with call.tenant() as connection:
        rows = quarantined(
            connection,
            call.principal.client,
            held_only=not given.everything,
            after=moment_and_id(given.cursor),
            limit=given.limit + 1,
        )
    shown, following = page(rows, given.limit, lambda row: (row["quarantined_at"], row["id"]))
    return QuarantineOutput(events=[QuarantinedOutput(**row) for row in shown], next_cursor=following)


def _today(call: Call) -> SpentOutput:
    with call.tenant() as connection:
        spent = spent_on(connection, call.principal.client, call.now.date()) / MICRO
    cap = call.options.get("daily_usd")
    return SpentOutput(today_usd=spent, cap_usd=cap, reached=cap is not None and spent >= cap)


OPERATIONS = (
    Operation(
        name="status",
        purpose=(
            "Is anything lost, stuck or waiting? What became of every captured event, how long the oldest session "
            "waits to be distilled, how many secrets were caught, what the model cost today."
        ),
        input=StatusInput,
        output=StatusOutput,
        right=Right.READ,
        method="GET",
        path="/v1/status",
        run=status,
        tag=TAG,
    ),
    Operation(
        name="spend",
        purpose="What did the model cost, by day and by session, and what is left of today's cap?",
        input=SpendInput,
        output=SpendOutput,
        right=Right.READ,
        method="GET",
        path="/v1/spend",
        run=spend,
        tag=TAG,
    ),
    Operation(
        name="list_quarantine",
        purpose="Which events could not be stored, and why? Their content stays where it is.",
        input=QuarantineInput,
        output=QuarantineOutput,
        right=Right.ADMIN,
        method="GET",
        path="/v1/quarantine",
        run=list_quarantine,
        tag=TAG,
        tool=False,
    ),
)
