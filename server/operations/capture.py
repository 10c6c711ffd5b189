"""Events that other machines' hooks captured. Whose they are is known from the token, whatever they say themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from pydantic import Field
from sqlalchemy import Connection

from capture.envelope import decode
from capture.errors import CaptureError
from capture.jsonio import encode
from schema.projects import keys, lookup
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
    lines, refused = [], []
    with call.tenant() as connection:
        seen = _Reach(call, connection)
        for index, event in enumerate(wanted.events):
            try:
                lines.append(_line(seen, event))
            except (CaptureError, NotYours) as error:
                refused.append(Refused(index=index, id=_id(event), message=str(error)))
    if lines:
        intake.append(call.principal.client, lines)
    return Captured(accepted=len(lines), refused=refused)


class NotYours(Exception):
    """The token may not send events of this project."""

    def __str__(self) -> str:
        """The sentence."""
        return self.__doc__ or ""


class _Reach:
    """Which of a batch's projects are within the token's reach: each is looked up once."""

    def __init__(self, call: Call, connection: Connection) -> None:
        self._principal, self._connection = call.principal, connection
        self._known: dict[tuple[str, ...], bool] = {}

    def has(self, known_by: Sequence[str]) -> bool:
        wanted = tuple(known_by)
        if self._principal.projects is None:
            return True
        if wanted not in self._known:
            found = lookup(self._connection, self._principal.client, wanted)
            self._known[wanted] = found is not None and self._principal.sees(found)
        return self._known[wanted]


def _line(reach: _Reach, event: Mapping[str, Any]) -> bytes:
    line = encode(event)
    value = decode(line)
    project = cast("Mapping[str, Any]", value.get("project") or {})
    if not reach.has(keys(project, str(value.get("cwd") or ""))):
        raise NotYours
    return line


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
