"""Cursors: what a list gave leads on, anything else is refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.errors import BadInput
from server.paging import decoded, encoded, moment_and_id, page

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
ID = "01a22d1c-0ba3-73e2-ae3e-bc4f13621476"


@given(
    st.lists(st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"])), max_size=6)
)
def test_a_place_comes_back(parts):
    assert decoded(encoded(parts), len(parts)) == parts


def test_a_moment_and_an_id_come_back():
    assert moment_and_id(encoded([AT, ID])) == (AT, ID)
    assert moment_and_id(None) is None


@given(st.text(max_size=200))
def test_anything_else_is_refused(cursor):
    with pytest.raises(BadInput):
        moment_and_id(cursor)


@pytest.mark.parametrize(
    "parts",
    [
        [AT],
        [AT, "x"],
        ["yesterday", ID],
        ["2026-03-02T09:00:00", ID],
        [AT, ID, ID],
        ["9999-12-31T23:59:59+00:00", ID],
    ],
)
def test_a_place_of_another_list_is_refused(parts):
    with pytest.raises(BadInput):
        moment_and_id(encoded(parts))


def test_there_is_a_next_page_only_where_there_is_a_row_for_it():
    assert page([1, 2, 3], 3, lambda row: (row,)) == ([1, 2, 3], None)
    shown, following = page([1, 2, 3], 2, lambda row: (row,))
    assert shown == [1, 2]
    assert following is not None
    assert decoded(following, 1) == ["2"]
    assert page([], 2, lambda row: (row,)) == ([], None)
