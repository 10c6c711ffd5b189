"""Items in the database: numbers, the parent rule, versions, history; also under a race."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from backlog import items
from backlog.errors import (
    BadValue,
    ChildrenOpen,
    ItemArchived,
    MoveRefused,
    NoSuchItem,
    NotANumber,
    NotAUseCase,
    NoTitle,
    NotThere,
    UseCaseDone,
    UseCaseStandsAlone,
    VersionStale,
)
from backlog.lifecycle import State
from tests.integration.backlog.conftest import ANN, START


def test_each_type_counts_from_its_own_range_in_each_project(board):
    kinds = ("US", "FE", "BU", "TA", "PO", "RE")
    assert [board.make(kind, "First one").number for kind in kinds] == [
        *("US1001", "FE2001", "BU3001", "TA4001", "PO5001", "RE6001")
    ]
    assert board.make("bug", "Second one").number == "BU3002"
    assert board.second_project().make("BU", "Elsewhere").number == "BU3001"


def test_concurrent_approvals_never_give_a_number_twice(board):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda n: board.make("BU", f"Bug number {n}").number, range(24)))
    assert sorted(made) == [f"BU{n}" for n in range(3001, 3025)]


def test_a_number_is_not_given_again_when_its_item_is_forgotten(board):
    gone = board.make("TA", "Forget me")
    board._do("DELETE FROM items WHERE client = :client AND id = :id", id=gone.id)
    assert board.make("TA", "The next").number == "TA4002"


def test_there_are_two_levels(board):
    top = board.make("US", "Export invoices")
    child = board.make("FE", "As CSV", top.number)
    assert child.use_case == "US1001"
    with pytest.raises(NotAUseCase):
        board.make("BU", "Below a feature", child.number)
    with pytest.raises(UseCaseStandsAlone):
        board.make("US", "Below a use case", top.number)
    with pytest.raises(UseCaseStandsAlone):
        board.set(top.number, use_case=board.make("US", "Another").number)
    with pytest.raises(NoSuchItem):
        board.make("BU", "Below nothing", "US1009")


def test_an_unfinished_item_keeps_its_use_case_from_done(board):
    board.make("US", "Export invoices")
    for number in range(12):
        board.make("BU", f"Bug {number}", "US1001")
    named = ", ".join(f"BU{n}" for n in range(3001, 3011))
    with pytest.raises(ChildrenOpen, match=f"before these of its items are: {named} and 2 more"):
        board.done("US1001")
    assert board.item("US1001").state == "open"  # nothing of the way there was kept
    for number in range(3001, 3013):
        board.done(f"BU{number}")
    assert board.done("US1001").state == "done"


def test_a_done_use_case_lets_nothing_open_in(board):
    board.make("US", "Export invoices")
    board.make("BU", "A bug", "US1001")
    board.make("BU", "Another, on its own")
    board.done("BU3001")
    board.done("US1001")
    with pytest.raises(UseCaseDone, match="reopen it before BU3001 is reopened"):
        board.set("BU3001", state="open")
    with pytest.raises(UseCaseDone, match="reopen it before BU3002 is moved to it"):
        board.set("BU3002", use_case="US1001")
    with pytest.raises(UseCaseDone):
        board.make("BU", "New one", "US1001")
    board.set("US1001", state="in-progress")
    assert board.set("BU3001", state="open").state == "open"


def test_the_parent_rule_holds_under_a_race(board):
    """Completing the use case and adding to it at once: whoever is second is refused, never both done."""
    for round_ in range(6):
        top = board.make("US", f"Use case {round_}").number
        ready = threading.Barrier(2)

        def finish(number=top, gate=ready):
            gate.wait()
            try:
                return board.done(number).state
            except ChildrenOpen:
                return "refused"

        def add(number=top, gate=ready):
            gate.wait()
            try:
                return board.make("BU", "Late bug", number).state
            except UseCaseDone:
                return "refused"

        with ThreadPoolExecutor(2) as pool:
            outcomes = {pool.submit(finish), pool.submit(add)}
            results = sorted(future.result() for future in outcomes)
        assert results in (["done", "refused"], ["open", "refused"])


def test_a_change_on_an_older_version_is_refused(board):
    board.make("FE", "As CSV")
    assert board.set("FE2001", title="As CSV with a header", expected=1).version == 2
    with pytest.raises(VersionStale, match="FE2001 is at version 2 and you changed version 1"):
        board.set("FE2001", title="As TSV", expected=1)
    assert board.item("FE2001").title == "As CSV with a header"
    assert board.set("FE2001", title="As CSV with a header", expected=2).version == 2  # nothing to change


def test_the_history_keeps_every_change(board):
    board.make("FE", "As CSV")
    board.set("FE2001", state="pending")
    board.set("FE2001", title="As TSV", text="Tabs.")
    board.set("FE2001", state="open")
    told = [(h.version, h.by, h.action, dict(h.changes)) for h in board.history("FE2001")]
    assert told == [
        (1, ANN, "created", {}),
        (2, ANN, "forward", {"state": ["open", "pending"]}),
        (3, ANN, "changed", {"title": ["As CSV", "As TSV"], "text": ["", "Tabs."]}),
        (4, ANN, "back", {"state": ["pending", "open"]}),
    ]


def test_done_takes_every_step(board):
    board.make("FE", "As CSV")
    board.done("FE2001")
    assert [h.changes["state"][1] for h in board.history("FE2001")[1:]] == [
        *("pending", "in-progress", "review", "done")
    ]
    assert board.done("FE2001").version == 5


def test_what_cannot_be_is_said(board):
    board.make("FE", "As CSV")
    with pytest.raises(MoveRefused, match="FE2001 is open: from there it goes to pending, not to done"):
        board.set("FE2001", state="done")
    with pytest.raises(NoTitle):
        board.set("FE2001", title=" ... ")
    with pytest.raises(BadValue, match="the title of 201 characters"):
        board.make("FE", "x" * 201)
    with pytest.raises(BadValue, match="the type XX"):
        board.make("XX", "What")
    with pytest.raises(NotANumber, match="CSV is not the number of an item"):
        board.set("CSV", title="x")
    with pytest.raises(NoSuchItem, match="There is no item FE2002 in this project"):
        board.set("fe2002", title="x")


def test_an_archived_item_leaves_the_lists_and_comes_back_as_it_was(board):
    board.make("US", "Export invoices")
    board.make("BU", "A bug", "US1001")
    before = board.set("BU3001", state="pending")
    with board.database.tenant(board.client) as c:
        items.archive(c, board.client, board.project, "BU3001", reason="it is gone", by=ANN, now=START)
    assert board.backlog().use_cases[0].children == ()
    with pytest.raises(ItemArchived, match="it is gone"):
        board.set("BU3001", state="in-progress")
    with board.database.tenant(board.client) as c:
        after = items.restore(c, board.client, board.project, "BU3001", by=ANN, now=START)
    assert (after.state, after.use_case, after.archived_at) == (before.state, before.use_case, None)


def test_a_use_case_is_archived_after_its_items(board):
    board.make("US", "Export invoices")
    board.make("BU", "A bug", "US1001")
    with (
        pytest.raises(NotThere, match="BU3001 still belong to it"),
        board.database.tenant(board.client) as c,
    ):
        items.archive(c, board.client, board.project, "US1001", reason="", by=ANN, now=START)


def test_an_archived_item_is_not_in_its_use_cases_way_and_does_not_come_back_open_under_a_done_one(board):
    board.make("US", "Export invoices")
    board.make("BU", "A bug", "US1001")
    with board.database.tenant(board.client) as c:
        items.archive(c, board.client, board.project, "BU3001", reason="", by=ANN, now=START)
    assert board.done("US1001").state == "done"
    with pytest.raises(UseCaseDone), board.database.tenant(board.client) as c:
        items.restore(c, board.client, board.project, "BU3001", by=ANN, now=START)


def test_the_order_of_a_use_case_is_kept_and_can_be_changed(board):
    board.make("US", "Export invoices")
    for kind in ("BU", "FE", "TA"):
        board.make(kind, f"A {kind}", "US1001")
    with board.database.tenant(board.client) as c:
        items.reorder(c, board.client, board.project, "US1001", ["TA4001", "BU3001"], by=ANN, now=START)
    assert [i.number for i in board.backlog().use_cases[0].children] == ["TA4001", "BU3001", "FE2001"]
    assert board.history("US1001")[-1].changes == {
        "order": [["BU3001", "FE2001", "TA4001"], ["TA4001", "BU3001", "FE2001"]]
    }
    with pytest.raises(NotThere, match="FE2009"), board.database.tenant(board.client) as c:
        items.reorder(c, board.client, board.project, "US1001", ["FE2009"], by=ANN, now=START)


def test_items_of_another_client_are_not_there(board):
    board.make("BU", "Ours")
    board.database.add_client("mallory")
    with pytest.raises(NoSuchItem), board.database.tenant("mallory") as c:
        items.change(
            c,
            "mallory",
            board.project,
            "BU3001",
            items.Change(state=State.PENDING),
            by="m",
            now=START,
        )
