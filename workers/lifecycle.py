"""A session's life as one pure table: (state, signal) -> (state, effect). Whoever calls it carries out the effect."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """Where a session is in its life."""

    ACTIVE = "active"
    IDLE = "idle"
    ENDED = "ended"
    DISTILLED = "distilled"
    REOPENED = "reopened"


class Signal(StrEnum):
    """What can happen to a session."""

    ACTIVITY = "activity"
    LATE = "late"
    END = "end"
    QUIET = "quiet"
    TIMEOUT = "timeout"
    REPLACED = "replaced"
    DISTILLED = "distilled"


class Effect(StrEnum):
    """What the caller must do."""

    NONE = "none"
    DISTIL = "distil"


_LIVE = (State.ACTIVE, State.IDLE, State.REOPENED)

TABLE: dict[tuple[State, Signal], tuple[State, Effect]] = {
    # an event that happened now
    (State.ACTIVE, Signal.ACTIVITY): (State.ACTIVE, Effect.NONE),
    (State.IDLE, Signal.ACTIVITY): (State.ACTIVE, Effect.NONE),
    (State.REOPENED, Signal.ACTIVITY): (State.REOPENED, Effect.NONE),
    (State.ENDED, Signal.ACTIVITY): (State.REOPENED, Effect.NONE),
    (State.DISTILLED, Signal.ACTIVITY): (State.REOPENED, Effect.NONE),
    # an event from before the end that arrived after it
    **{(state, Signal.LATE): (state, Effect.NONE) for state in _LIVE},
    (State.ENDED, Signal.LATE): (State.ENDED, Effect.DISTIL),
    (State.DISTILLED, Signal.LATE): (State.ENDED, Effect.DISTIL),
    # the ways to end
    **{(state, Signal.END): (State.ENDED, Effect.DISTIL) for state in _LIVE},
    (State.ENDED, Signal.END): (State.ENDED, Effect.NONE),
    (State.DISTILLED, Signal.END): (State.DISTILLED, Effect.NONE),
    **{(state, Signal.TIMEOUT): (State.ENDED, Effect.DISTIL) for state in _LIVE},
    (State.ENDED, Signal.TIMEOUT): (State.ENDED, Effect.NONE),
    (State.DISTILLED, Signal.TIMEOUT): (State.DISTILLED, Effect.NONE),
    # silent for five minutes: a new start in the same folder may now take its place
    (State.ACTIVE, Signal.QUIET): (State.IDLE, Effect.NONE),
    (State.IDLE, Signal.QUIET): (State.IDLE, Effect.NONE),
    (State.REOPENED, Signal.QUIET): (State.IDLE, Effect.NONE),
    (State.ENDED, Signal.QUIET): (State.ENDED, Effect.NONE),
    (State.DISTILLED, Signal.QUIET): (State.DISTILLED, Effect.NONE),
    (State.IDLE, Signal.REPLACED): (State.ENDED, Effect.DISTIL),
    (State.ACTIVE, Signal.REPLACED): (State.ACTIVE, Effect.NONE),
    (State.REOPENED, Signal.REPLACED): (State.REOPENED, Effect.NONE),
    (State.ENDED, Signal.REPLACED): (State.ENDED, Effect.NONE),
    (State.DISTILLED, Signal.REPLACED): (State.DISTILLED, Effect.NONE),
    # the distiller is done; a session that went on meanwhile will end again
    (State.ENDED, Signal.DISTILLED): (State.DISTILLED, Effect.NONE),
    (State.DISTILLED, Signal.DISTILLED): (State.DISTILLED, Effect.NONE),
    **{(state, Signal.DISTILLED): (state, Effect.NONE) for state in _LIVE},
}


def transition(state: State, signal: Signal) -> tuple[State, Effect]:
    """Return the state after ``signal`` and what the caller must do; every pair is defined."""
    return TABLE[state, signal]
