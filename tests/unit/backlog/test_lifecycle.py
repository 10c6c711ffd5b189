"""An item's life, as a table."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from backlog.errors import BadValue, MoveRefused
from backlog.lifecycle import Move, State, delivered, mermaid, move, state_named, steps

DOCS = Path(__file__).parents[3] / "docs" / "backlog.md"
LIFE = ["open", "pending", "in-progress", "review", "done"]


def test_one_step_forward_and_back_to_any_earlier_state_are_the_only_moves():
    for (here, start), (there, target) in product(enumerate(LIFE), enumerate(LIFE)):
        allowed = there == here + 1 or there < here
        try:
            kind = move("BU3001", State(start), State(target))
        except MoveRefused:
            assert not allowed, (start, target)
            continue
        assert allowed, (start, target)
        assert kind is (Move.FORWARD if there > here else Move.REOPEN if start == "done" else Move.BACK)


def test_a_refusal_says_where_the_item_can_go():
    with pytest.raises(
        MoveRefused, match=r"^BU3001 is pending: from there it goes to in-progress or open, not to done"
    ):
        move("BU3001", State.PENDING, State.DONE)


def test_a_delivery_ends_in_review_and_never_further():
    assert {state.value: target and target.value for state in State for target in [delivered(state)]} == {
        "open": "review",
        "pending": "review",
        "in-progress": "review",
        "review": None,
        "done": None,
    }


def test_the_steps_to_done_are_each_a_move_forward():
    assert [state.value for state in steps(State.PENDING, State.DONE)] == ["in-progress", "review", "done"]
    assert steps(State.DONE, State.DONE) == ()


def test_states_are_read_as_people_write_them():
    assert state_named(" In Progress ") is State.IN_PROGRESS
    assert state_named("in_progress") is State.IN_PROGRESS
    with pytest.raises(BadValue, match="it is open, pending, in-progress, review or done"):
        state_named("blocked")


def test_the_docs_show_the_table():
    shown = DOCS.read_text("utf-8").split("```mermaid\n")[1].split("\n```")[0]
    assert shown == mermaid()
    assert "open --> review: delivery" in shown
