"""Numbers of a request: plain digits, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.web.numbers import whole


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("17", 17), ("007", 7)])
def test_digits_are_a_number(text, number):
    assert whole(text) == number


@pytest.mark.parametrize("text", [None, "", "-1", "1.5", " 1", "\u00b2", "\u0663", "9" * 5_000])
def test_nothing_else_is(text):
    assert whole(text) is None


@given(st.text())
def test_no_text_breaks_it(text):
    assert whole(text) is None or whole(text) >= 0
