"""Events that other machines' hooks captured. Whose they are is known from the token, whatever they say themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from pydantic import Field
from sqlalchemy import Connection

from capture.envelope import encode
from capture.errors import CaptureError
from schema.projects import lookup
from server import arriving
from server.errors import Unavailable
from server.intake import Intake
from server.operation import Call, Input, Operation, Output
from server.principal import Right

MOST = 1000


class CaptureInput(Input):
    """Events as hooks write them (envelopes of version 1)."""

    # Each event is looked at by itself, so that one which cannot be taken keeps no other from being taken.
    plain: ClassVar[bool] = False

    events: list[dict[str, Any]] = Field(
        min_length=1, max_length=MOST, description="At most 1000, in their order."
    )


class Refused(Output):
    """An event that was not taken and will not be."""

    index: int = Field(description="Its place in the batch, from 0.")
    id: str | None = Field(description="Its own id, where it has one.")
    message: str


class Captured(Output):
    """What became of the batch. What is accepted is in the queue; sent again it has no second effect."""

    accepted: int
    refused: list[Refused]


def capture(call: Call, wanted: CaptureInput) -> Captured:
    """Append what is an envelope to the stream of the token's client."""
    intake = cast("Intake | None", call.options.get("intake"))
    if intake is None:
        raise Unavailable
    events, refused = [], []
    for index, event in enumerate(wanted.events):
        try:
            events.append((index, arriving.clean(event)))
        except CaptureError as error:
            refused.append(_refused(index, event, error))
    lines = []
    with call.tenant() as connection:
        reach = _Reach(call, connection)
        for index, event in events:
            try:
                lines.append(reach.line(event))
            except (CaptureError, arriving.NotYours) as error:
                refused.append(_refused(index, event, error))
    refused.sort(key=lambda one: one.index)
    if lines:
        intake.append(call.principal.client, lines)
    return Captured(accepted=len(lines), refused=refused)


class _Reach:
    """What of a batch is within the token's reach: each key is looked up once."""

    def __init__(self, call: Call, connection: Connection) -> None:
        self._principal, self._connection = call.principal, connection
        self._known: dict[str, str | None] = {}

    def line(self, event: dict[str, Any]) -> bytes:
        projects = self._principal.projects
        return encode(event if projects is None else arriving.held(event, projects, self._home))

    def _home(self, key: str) -> str | None:
        """The project in reach that ``key`` leads to."""
        if key not in self._known:
            found = lookup(self._connection, self._principal.client, [key])
            self._known[key] = found if found is not None and self._principal.sees(found) else None
        return self._known[key]


def _refused(index: int, event: Mapping[str, Any], error: Exception) -> Refused:
    return Refused(index=index, id=_id(event), message=str(error))


def _id(event: Mapping[str, Any]) -> str | None:
    found = event.get("id")
    return found[:36] if isinstance(found, str) else None


OPERATIONS = (
    Operation(
        name="capture",
        purpose="Take a batch of events that hooks captured on another machine; each is answered for by itself.",
        input=CaptureInput,
        output=Captured,
        right=Right.WRITE,
        method="POST",
        path="/v1/capture",
        run=capture,
        tag="Capture",
        tool=False,
        audited=False,
    ),
)
