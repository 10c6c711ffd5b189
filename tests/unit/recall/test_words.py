"""Words and names: what a question types must be what a text holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.words import EXACT, LONGEST, counted, names, sequence, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Postgres holds orders", ["postgres", "holds", "orders"]),
        ("resetTest", ["=resettest", "resettest", "reset", "test"]),
        ("reset_test", ["=reset_test", "reset", "test"]),
        ("src/reset_test.go", ["=src/reset_test.go", "=reset_test.go", "src", "reset", "test", "go"]),
        ("HTTPServer2", ["=httpserver2", "httpserver2", "http", "server"]),
        ("ERR-1042", ["=err-1042", "err", "1042"]),
        ("'quoted', (bracketed); done.", ["quoted", "bracketed", "done"]),
        ("Café", ["cafe"]),
        ("文字化け", ["文字", "字化", "化け"]),
        ("字", ["字"]),
        ("تتبع الطرد", ["تتبع", "الطرد"]),
        ("🚀", ["🚀"]),
        ("... --- !!!", []),
        ("", []),
    ],
)
def test_words(text, expected):
    assert list(words(text)) == expected


def test_the_three_spellings_of_a_name_share_its_parts():
    shared = {"normalise", "status"}
    for spelling in ("normalise_status", "normaliseStatus", "NormaliseStatus", "normalise-status"):
        assert shared <= set(words(spelling))


def test_names_come_without_the_mark():
    assert names("see poll.py and the word plain") == ["poll.py"]


def test_a_long_run_is_not_a_word():
    assert not any(len(word.removeprefix(EXACT)) <= LONGEST for word in words("a" * (LONGEST + 1)))


def test_sequence_keeps_order_and_repeats():
    assert sequence("To be, or not to be") == ["to", "be", "or", "not", "to", "be"]


@given(st.text(max_size=300))
def test_any_text_gives_clean_words(text):
    for word in words(text):
        assert word
        assert "\x00" not in word
        assert not any(character.isspace() for character in word)
        word.encode("utf-8")


@given(st.text(max_size=200), st.text(max_size=200))
def test_counts_add_up_over_a_line_break(one, other):
    together = counted(f"{one}\n{other}")
    assert together == counted(one) + counted(other)
