from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.private import drop_private

CASES = [
    ("before <private>hidden</private> after", "before [private] after"),
    ("a <PRIVATE>x</Private> b", "a [private] b"),
    ("a <private>never closed", "a [private]"),
    ("a <private>x <private>y</private> z</private> b", "a [private] b"),
    ('a <private reason="x">y</private > b', "a [private] b"),
    ("İ <private>x</private> İ", "İ [private] İ"),
    ("a <privateer> stays", "a <privateer> stays"),
    ("<private>x</private><private>y</private>", "[private][private]"),
    ("no tag at all", "no tag at all"),
    ("see <limbeck-memory>old</limbeck-memory> now", "see [limbeck-memory] now"),
]


@pytest.mark.parametrize(("text", "kept"), CASES)
def test_private_spans_are_dropped(text: str, kept: str) -> None:
    assert drop_private(text) == kept


@given(
    st.text(max_size=50),
    st.text(alphabet="abc \n", min_size=1, max_size=50),
    st.sampled_from(["private", "PRIVATE", "pRiVaTe"]),
)
def test_nothing_of_an_unclosed_span_is_left(before: str, inside: str, tag: str) -> None:
    marked = f"\x01{inside}\x01"
    assert marked not in drop_private(f"{before}<{tag}>{marked}")


def test_a_million_openings_end_soon() -> None:
    assert drop_private("<private" * 200_000) == "<private" * 199_999 + "[private]"
