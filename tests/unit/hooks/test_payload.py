from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks import payload
from hooks.machine import machine


@pytest.mark.parametrize(
    "raw", [b'{"a":1}', b'{"a":1}\n', b'\xef\xbb\xbf{"a":1}', b' \r\n{"a":1}\x00\x00', b'{"a":1}\n\n']
)
def test_an_object_is_read_whatever_stands_around_it(raw: bytes) -> None:
    assert payload.decode(raw) == {"a": 1}


@pytest.mark.parametrize(
    "raw", [b"", b" ", b"[]", b'"x"', b'{"a":', b'{"a":1}{', b"\xff\xfe", b"[" * 200_000, b"nul"]
)
def test_anything_else_is_unreadable(raw: bytes) -> None:
    with pytest.raises(payload.Unreadable):
        payload.decode(raw)


def test_lone_surrogates_and_broken_utf8_are_read() -> None:
    assert payload.decode(b'{"a":"\\ud800 \xff"}') == {"a": "\ud800 \ufffd"}


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_getters_take_any_value(value: object) -> None:
    holder = {"x": value}
    assert payload.text(holder, "x") is None or isinstance(value, str)
    assert isinstance(payload.table(holder, "x"), dict)
    assert payload.number(holder, "x") is None or isinstance(value, (int, float))
    payload.command(value)


@pytest.mark.parametrize(
    ("said", "code"),
    [("Exit code 3\nx", 3), ("Exit code -9", -9), ("Exit code x", None), ("no", None), ("Exit code ", None)],
)
def test_exit_codes(said: str, code: int | None) -> None:
    assert payload.exit_code(said, "Exit code ") == code


def test_commands() -> None:
    assert payload.command(["bash", "-lc", "git status"]) == "git status"
    assert payload.command(["git", "commit", "-m", "it's"]) == "'git' 'commit' '-m' 'it'\\''s'"
    assert payload.command([1]) is None


@pytest.mark.parametrize(
    ("prompt", "source", "expected"),
    [
        ("fix it", None, False),
        ("fix it", "user", False),
        ("fix it", "poll_event", True),
        ("  <task-notification>x", None, True),
        ("<command-name>/clear</command-name>", "user", True),
        ("[Request interrupted by user]", None, True),
        ("what does <task-notification> mean?", None, False),
    ],
)
def test_prompts_that_no_person_wrote(prompt: str, source: str | None, expected: bool) -> None:
    assert machine(prompt, source) is expected
