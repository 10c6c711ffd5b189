"""What is stored cannot drive the terminal that shows it, and tables suit a terminal and a pipe."""

from __future__ import annotations

import io
import json
import re

import pytest
from rich.console import Console

from limbeck import show
from limbeck.context import print_json
from limbeck.visible import visible

HOSTILE = "\x1b]0;title\x07red\x1b[31m \x9b2J\x00\x7f\rover\u202eevil\u2066\u200e"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b2J", r"\x9b2J"),
        ("\x00\x07\x08\r\x7f", r"\x00\x07\x08\x0d\x7f"),
        ("a\u202eb\u2066c\u2069d\u200ee\u200f", r"a\u202eb\u2066c\u2069d\u200ee\u200f"),
        ("one\n\ttwo é 漢 👩‍💻", "one\n\ttwo é 漢 👩‍💻"),
    ],
)
def test_what_drives_a_terminal_is_written_out(text, shown):
    assert visible(text) == shown


def test_every_control_character_is_written_out_but_newline_and_tab():
    controls = [
        *range(0x20),
        *range(0x7F, 0xA0),
        0x200E,
        0x200F,
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    ]
    for code in controls:
        assert (visible(chr(code)) == chr(code)) == (chr(code) in "\n\t")


def test_json_holds_the_same_value_without_a_raw_control(capsys):
    print_json({"text": HOSTILE})
    printed = capsys.readouterr().out
    assert visible(printed) == printed
    assert json.loads(printed) == {"text": HOSTILE}


def test_a_table_in_a_pipe_has_one_line_a_row_and_no_blank_at_its_end(capsys):
    show.table(("id", "what", "last"), [("1", "word " * 90, ""), ("22", HOSTILE + "\nmore", "x")])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert [line for line in lines if line != line.rstrip() or visible(line) != line] == []
    assert lines[0].startswith("id  what")


def test_at_a_terminal_only_prose_folds(monkeypatch):
    seen = io.StringIO()
    monkeypatch.setattr(
        show, "Console", lambda **_: Console(file=seen, force_terminal=True, width=80, highlight=False)
    )
    show.table(("id", "fact", "since"), [("0199aaaa", "long words " * 20, "2026-03-01")], prose=("fact",))
    lines = seen.getvalue().splitlines()
    assert sum("0199aaaa" in line for line in lines) == 1
    assert sum("2026-03-01" in line for line in lines) == 1
    assert max(len(re.sub(r"\x1b\[\d*m", "", line)) for line in lines) <= 80


def test_short_ids_are_as_long_as_it_takes_to_tell_them_apart():
    one, same_millisecond, later = (
        "0199aaaa-0001-7000-8000-000000000001",
        "0199aaaa-0001-7000-8100-000000000002",
        "0199aaaa-0002-7000-8000-000000000003",
    )
    assert show.short([one, later]) == ["0199aaaa-0001", "0199aaaa-0002"]
    assert show.short([one, same_millisecond]) == ["0199aaaa-0001-7000-80", "0199aaaa-0001-7000-81"]
    assert show.short([one] * 2) == ["0199aaaa-0001"] * 2
    assert show.short([]) == []
    assert show.one_id(one) == "0199aaaa-0001"


def test_one_is_counted_as_one():
    assert [show.counted(n, "file") for n in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
