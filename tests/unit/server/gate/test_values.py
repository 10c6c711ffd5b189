"""What no input may hold is found wherever it stands, and nothing else is."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.errors import InvalidInput
from server.rest.given import from_body
from server.values import DEEPEST, check

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(TEXT, PLAIN, max_size=4))
def test_plain_values_pass(values):
    check(values)
    assert from_body(json.dumps(values).encode()) == values


@pytest.mark.parametrize("bad", ["\0", "a\0b", "\ud800", 2**63, -(2**63), 1e300, 10**400])
@given(values=st.dictionaries(TEXT, PLAIN, max_size=3))
def test_one_bad_value_is_found_and_placed(bad, values):
    values["z"] = {"y": [1, bad]}
    with pytest.raises(InvalidInput) as raised:
        check(values)
    assert [one["path"] for one in raised.value.details] == ["z.y.1"]


@pytest.mark.parametrize("bad", ["\0", "\ud800"])
def test_a_bad_key_is_found(bad):
    with pytest.raises(InvalidInput, match="A key holds"):
        check({"a": {bad: 1}})


def test_nesting_is_bounded():
    def nested(depth):
        value: object = 1
        for _ in range(depth):
            value = [value]
        return {"a": value}

    check(nested(DEEPEST - 1))
    with pytest.raises(InvalidInput, match="levels deep"):
        check(nested(DEEPEST + 1))


def test_not_more_is_told_than_one_reads():
    with pytest.raises(InvalidInput) as raised:
        check({str(number): "\0" for number in range(1000)})
    assert len(raised.value.details) == 20


@given(st.binary())
def test_no_bytes_break_the_reading_of_a_body(raw):
    with contextlib.suppress(InvalidInput):
        assert isinstance(from_body(raw), dict)
