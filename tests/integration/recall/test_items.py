"""Approved items as recall finds them: as they are now, with what was done, gone when archived."""

from __future__ import annotations

import pytest

from backlog import items
from recall.items import index_items
from tests.integration.backlog.conftest import ANN, START, Board, board, sha

__all__ = ["board"]


@pytest.fixture
def units(board: Board):
    """The indexed items by the first word of their titles."""

    def read() -> dict[str, str]:
        rows = board.rows("SELECT title, text FROM search_units WHERE kind = 'item'")
        return {str(title).split()[0]: f"{title}\n{text}" for title, text in rows}

    return read


def test_an_item_is_found_with_its_use_case_and_what_was_done(board, units):
    board.make("US", "Export invoices")
    board.make("BU", "Loses a page", "US1001")
    assert index_items(board.database, board.client, board.project) == 2
    board.log("BU3001", outcome="The page is kept", tests="9 passed", commit=sha(4))
    assert index_items(board.database, board.client, board.project, numbers=["BU3001"]) == 2
    for number in ("BU3001", "US1001"):
        told = f"Done 2026-03-02 by ann: The page is kept (commit {sha(4)[:10]}; tests: 9 passed)."
        assert units()[number].splitlines()[-1] == told
    assert "of US1001 Export invoices" in units()["BU3001"]


def test_only_what_changed_in_words_is_written_anew(board, units):
    board.make("BU", "Loses a page")
    board.make("BU", "Login fails")
    index_items(board.database, board.client, board.project)
    board.set("BU3001", title="Loses the last page")
    assert index_items(board.database, board.client, board.project) == 1
    assert units()["BU3001"].startswith("BU3001 Loses the last page")
    assert index_items(board.database, board.client, board.project) == 0


@pytest.mark.parametrize("numbers", [None, ["BU3001"]])
def test_an_archived_item_is_taken_out_and_comes_back(board, units, numbers):
    board.make("BU", "Loses a page")
    index_items(board.database, board.client, board.project)
    for act, left in (("archive", set()), ("restore", {"BU3001"})):
        with board.database.tenant(board.client) as c:
            more = {"reason": "gone"} if act == "archive" else {}
            getattr(items, act)(c, board.client, board.project, "BU3001", by=ANN, now=START, **more)
        index_items(board.database, board.client, board.project, numbers=numbers)
        assert set(units()) == left


def test_one_item_is_written_as_it_would_be_with_all_of_them(board, units):
    board.make("US", "Export invoices")
    for title in ("Loses a page", "Stops at ten"):
        board.make("BU", title, "US1001")
    board.make("TA", "Rotate keys")
    for number in ("BU3001", "BU3002", "TA4001"):
        board.log(number, outcome=f"Done with {number}", commit=sha(int(number[2:])))
    index_items(board.database, board.client, board.project, numbers=["BU3001", "TA4001"])
    alone = units()
    assert set(alone) == {"US1001", "BU3001", "TA4001"}
    assert index_items(board.database, board.client, board.project) == 1  # the other bug
    assert {number: units()[number] for number in alone} == alone
    assert "Done with BU3002" in alone["US1001"]
