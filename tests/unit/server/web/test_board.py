"""Where an item can go, and what a use case waits for."""

from __future__ import annotations

from dataclasses import dataclass

from server.web.board import STATES, case_of, moves


@dataclass(frozen=True)
class Item:
    number: str
    state: str = "open"
    use_case: str | None = None


def test_one_step_forward_and_every_one_back():
    assert moves("open") == ("pending", ())
    assert moves("review") == ("done", ("in-progress", "pending", "open"))
    assert moves("done") == (None, tuple(reversed(STATES[:-1])))


def test_a_use_case_waits_for_what_is_not_done():
    items = [
        Item("FE2001", "done", "US1001"),
        Item("BU3001", "review", "US1001"),
        Item("TA4001", "open", "US1002"),
    ]
    case = case_of(Item("US1001"), items)
    assert (case.total, case.waiting) == (2, ("BU3001",))
