"""A literal text is found whatever its letter case, spaces and Unicode form, and nothing else is."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.forget.words import Words

TEXTS = st.text(min_size=1, max_size=30).filter(lambda text: bool(text.split()))


@given(TEXTS, st.text(max_size=20), st.text(max_size=20))
def test_it_finds_itself_and_leaves_nothing(text, before, after):
    words = Words(text)
    value = {"a": [f"{before} {text} {after}", {text: 1}], "b": 2}
    assert words.within(value)
    assert not words.within(words.without(value)) or words.within("[...]")


@given(TEXTS, TEXTS)
def test_what_does_not_hold_it_stays_as_it_is(text, other):
    words = Words(text)
    if not words.within(other):
        assert words.without(other) is other or words.without(other) == other


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Ada Lovelace", "ADA LOVELACE wrote it"),
        ("Ada Lovelace", "by ada\n   lovelace"),
        ("Łukasz Ćma", "łukasz ćma"),
        ("José", unicodedata.normalize("NFD", "josé")),
        (unicodedata.normalize("NFD", "José"), "JOSÉ"),
        ("a.b+c@d.example", "<A.B+C@D.EXAMPLE>"),
        ("\uf900", "\uf900 as it was written"),
        ("\uf900", "\u8c48 in its usual form"),
    ],
)
def test_found(text, other):
    assert Words(text).within(other)


@pytest.mark.parametrize(("text", "other"), [("a.b", "axb"), ("Ada Lovelace", "AdaLovelace"), ("a+", "aa")])
def test_not_found(text, other):
    assert not Words(text).within(other)


@given(TEXTS)
def test_the_pattern_for_json_finds_it_inside_json(text):
    """Postgres' pattern, as far as Python's expressions read it alike."""
    pattern = Words(text).json.replace("[:space:]", r"\s")
    assert re.search(pattern, json.dumps({"x": f"so {text} is"}, ensure_ascii=False))


def test_the_mark_is_no_occurrence():
    assert Words("forgotten").without("it was Forgotten") == "it was [...]"
