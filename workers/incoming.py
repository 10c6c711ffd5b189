"""An entry of the stream as a typed event, or the reason why it is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from capture.envelope import decode
from capture.errors import CaptureError
from capture.jsonio import parse
from schema.ids import whole_id

AHEAD = timedelta(minutes=5)
OLDEST = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Incoming:
    """One decoded event.

    ``at`` is event time, clamped where the clock was wrong (``clock`` says how); ``redactions`` counts what the
    hook's net replaced, ``caught`` what the worker's net had to. ``places`` are the keys of its project.
    """

    entry: str
    id: str
    at: datetime
    clock: str | None
    agent: str
    origin: str
    version: str | None
    kind: str
    event: str
    session: str | None
    turn: str | None
    call: str | None
    subagent: str | None
    subagent_type: str | None
    cwd: str | None
    project: dict[str, Any]
    body: dict[str, Any]
    redactions: dict[str, int] = field(default_factory=dict)
    caught: dict[str, int] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Malformed:
    """An entry that cannot become an event, with a sentence that says why."""

    entry: str
    reason: str


def read(entry: str, payload: bytes | None, now: datetime) -> Incoming | Malformed:
    """Decode one stream entry; ``now`` is when it is read (the clock that event times are checked against)."""
    if payload is None:
        return Malformed(entry, "the entry has no field 'e'")
    try:
        envelope = cast("dict[str, Any]", decode(payload))
    except CaptureError as error:
        return Malformed(entry, str(error))
    at, clock = clamp(envelope["at"], now)
    subagent = envelope.get("subagent") or {}
    return Incoming(
        entry=entry,
        id=envelope["id"],
        at=at,
        clock=clock,
        agent=envelope["agent"],
        origin=envelope["origin"],
        version=envelope.get("hv"),
        kind=envelope["kind"],
        event=envelope.get("event") or envelope["kind"],
        session=envelope.get("session"),
        turn=envelope.get("turn"),
        call=envelope.get("call"),
        subagent=subagent.get("id"),
        subagent_type=subagent.get("type"),
        cwd=envelope.get("cwd"),
        project=envelope.get("project") or {},
        body=envelope["body"],
        redactions=envelope.get("redactions") or {},
    )


def event_id_of(payload: bytes | None) -> str | None:
    """The id that a captured event bears, also where the rest of it is no event; None where it bears none."""
    try:
        told = parse((payload or b"").decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    found = told.get("id") if isinstance(told, dict) else None
    return whole_id(found) if isinstance(found, str) else None


def clamp(ms: int, now: datetime) -> tuple[datetime, str | None]:
    """Event time from Unix milliseconds; a time ahead of ``now`` or before 2020 becomes ``now``, flagged."""
    try:
        at = datetime.fromtimestamp(ms / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return now, "future" if ms > 0 else "past"
    if at > now + AHEAD:
        return now, "future"
    if at < OLDEST:
        return now, "past"
    return at, None
