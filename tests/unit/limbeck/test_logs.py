"""Logs that others write to while they are cleaned or moved: no line of theirs is lost or touched."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbeck.services.logs import changes, cover, rewriting, shorten


def covering(word: str, marker: str, doing: object = None):
    """A cleaning that replaces ``word`` by ``marker`` and, on its first line, has the writers do something."""
    acts = [doing]

    def clean(line: str) -> str:
        if (act := acts.pop() if acts else None) is not None:
            act()
        return line.replace(word, marker)

    return clean


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "a.log"
    path.write_bytes(b"one\nit said hush-hush, twice\ntwo\n")
    return path


@pytest.mark.parametrize(
    ("marker", "line"),
    [
        ("[x]", b"it said [x], twice      "),
        ("[nine signs]", b"it said [nine signs], tw"),
        ("[as long]", b"it said [as long], twice"),
    ],
)
def test_a_line_is_cleaned_at_its_place_and_length(log, marker, line):
    assert cover(log, covering("hush-hush", marker)) == 1
    assert log.read_bytes() == b"one\n" + line + b"\ntwo\n"


def test_what_is_appended_meanwhile_stays_and_is_cleaned_too(log):
    with log.open("ab", buffering=0) as writer:
        cover(log, covering("hush", "....", lambda: writer.write(b"three\nhush again\nfo")))
        writer.write(b"ur\n")
    assert log.read_bytes() == b"one\nit said ....-...., twice\ntwo\nthree\n.... again\nfour\n"


def test_a_secret_whose_second_half_comes_meanwhile_is_seen_as_a_whole(log):
    with log.open("ab", buffering=0) as writer:
        writer.write(b"say hu")
        cover(log, covering("hush", "....", lambda: writer.write(b"sh\n")))
    assert log.read_bytes().endswith(b"say ....\n")


def test_where_a_cut_marker_would_be_taken_for_a_secret_nothing_of_the_line_stays():
    def clean(line: str) -> str:
        return line if line.endswith("]") or set(line) <= {"."} else f"{line[:-1]}[longer]"

    assert changes(b"a]\nbc", clean) == [(3, b"..")]


@given(st.lists(st.binary(max_size=12).filter(lambda one: b"\n" not in one)), st.text(max_size=9))
def test_no_line_changes_its_place_or_length(lines, marker):
    held = b"\n".join(lines)
    found = changes(held, lambda line: line.replace("a", marker))
    for place, line in found:
        before = held[place : place + len(line)]
        assert b"\n" not in before
        assert place == 0 or held[place - 1 : place] == b"\n"
        assert held[place + len(line) : place + len(line) + 1] in (b"", b"\n")


class Slow:
    """A file whose first write takes so long that another process writes meanwhile."""

    def __init__(self, file, meanwhile):
        self.file, self.meanwhile = file, [meanwhile]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, data):
        if self.meanwhile:
            self.meanwhile.pop()()
        return self.file.write(data)

    def flush(self):
        self.file.flush()


def test_what_comes_while_a_log_is_moved_is_moved_too(tmp_path, monkeypatch):
    log = tmp_path / "a.log"
    log.write_bytes(b"old" * 10)
    opened = Path.open

    def opening(self, mode="r", **named):
        file = opened(self, mode, **named)
        return Slow(file, lambda: writer.write(b"late")) if mode == "wb" else file

    with log.open("ab", buffering=0) as writer, monkeypatch.context() as patch:
        patch.setattr(Path, "open", opening)
        shorten(tmp_path, largest=12)
        writer.write(b"later")
    assert (tmp_path / "a.log.1").read_bytes() == b"oldoldoldoldlate"
    assert log.read_bytes() == b"later"


def test_logs_that_another_process_cleans_are_not_moved(tmp_path):
    (tmp_path / "a.log").write_bytes(b"long")
    with rewriting(tmp_path):
        shorten(tmp_path, largest=1)
    assert (tmp_path / "a.log").read_bytes() == b"long"
    shorten(tmp_path, largest=1)
    assert (tmp_path / "a.log").read_bytes() == b""
