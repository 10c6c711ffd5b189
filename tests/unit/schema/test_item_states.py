"""An item's states are told in one place; what has to spell them as types says the same."""

from __future__ import annotations

from typing import get_args

from backlog.lifecycle import State
from schema.backlog import STATES
from server.backlog import State as Told


def test_every_spelling_of_the_states_is_the_same():
    assert tuple(state.value for state in State) == STATES
    assert get_args(Told) == STATES
