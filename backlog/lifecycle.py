"""An item's life as one pure table: open -> pending -> in-progress -> review -> done.

A person (or the solve skill) moves an item one step forward, or back to any earlier state; from done that is a
reopening. A delivery, which is a commit that names the item, takes it to review from wherever it is before that, and
never further: done stays a deliberate act. Whatever the table does not list is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from backlog.errors import BadValue, MoveRefused


class State(StrEnum):
    """Where an item is in its life, in order."""

    OPEN = "open"
    PENDING = "pending"
    IN_PROGRESS = "in-progress"
    REVIEW = "review"
    DONE = "done"


class Move(StrEnum):
    """What a change of state is."""

    FORWARD = "forward"
    BACK = "back"
    REOPEN = "reopen"


ORDER = tuple(State)

TABLE: Mapping[State, Mapping[State, Move]] = {
    State.OPEN: {State.PENDING: Move.FORWARD},
    State.PENDING: {State.IN_PROGRESS: Move.FORWARD, State.OPEN: Move.BACK},
    State.IN_PROGRESS: {State.REVIEW: Move.FORWARD, State.PENDING: Move.BACK, State.OPEN: Move.BACK},
    State.REVIEW: {
        State.DONE: Move.FORWARD,
        State.IN_PROGRESS: Move.BACK,
        State.PENDING: Move.BACK,
        State.OPEN: Move.BACK,
    },
    State.DONE: {
        State.REVIEW: Move.REOPEN,
        State.IN_PROGRESS: Move.REOPEN,
        State.PENDING: Move.REOPEN,
        State.OPEN: Move.REOPEN,
    },
}

# Where a commit that names the item takes it; from review and done nowhere.
DELIVERED: Mapping[State, State] = {
    State.OPEN: State.REVIEW,
    State.PENDING: State.REVIEW,
    State.IN_PROGRESS: State.REVIEW,
}


def move(number: str, state: State, target: State) -> Move:
    """Say what going from ``state`` to ``target`` is. Raises MoveRefused, which names where the item can go."""
    found = TABLE[state].get(target)
    if found is None:
        raise MoveRefused(number=number, state=state, target=target, targets=_either(list(TABLE[state])))
    return found


def delivered(state: State) -> State | None:
    """Where a delivery takes an item, or None where it stays."""
    return DELIVERED.get(state)


def steps(state: State, target: State) -> tuple[State, ...]:
    """The moves forward from ``state`` to ``target``, one by one; none where it is there or further."""
    return ORDER[ORDER.index(state) + 1 : ORDER.index(target) + 1]


def state_named(name: str) -> State:
    """Return the state called ``name`` ("in progress" will do). Raises BadValue."""
    try:
        return State("-".join(name.strip().lower().replace("_", " ").split()))
    except ValueError:
        raise BadValue(what="the state", value=name, why=f"it is {_either(list(State))}") from None


def mermaid() -> str:
    """Return the state diagram that the tables draw; a delivery is marked as such."""
    lines = ["stateDiagram-v2", f"    [*] --> {_shown(State.OPEN)}"]
    for state, targets in TABLE.items():
        lines += [f"    {_shown(state)} --> {_shown(target)}: {how}" for target, how in targets.items()]
    lines += [f"    {_shown(state)} --> {_shown(to)}: delivery" for state, to in DELIVERED.items()]
    return "\n".join(lines)


def _shown(state: State) -> str:
    return state.value.replace("-", "_")


def _either(names: list[State]) -> str:
    told = [state.value for state in names]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} or {told[-1]}"
