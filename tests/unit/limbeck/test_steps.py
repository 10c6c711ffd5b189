"""What goes on is told on standard error: in one line that changes at a terminal, now and then in a log."""

from __future__ import annotations

import sys
import threading

import pytest

from limbeck import steps as telling
from limbeck.steps import Lines, steps


def test_what_is_done_soon_says_nothing_to_a_log(capsys):
    with steps("starting") as tell:
        tell("starting the [queue]")
    assert capsys.readouterr() == ("", "")


def test_a_terminal_hears_it_at_once(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    with steps("starting") as tell:
        tell("starting the [queue]")
    output, told = capsys.readouterr()
    assert output == ""
    assert "starting" in told


def test_a_line_says_what_is_done_and_for_how_long():
    written, times = [], iter([100.0, 110.2, 120.0])
    lines = Lines("reading", written.append, clock=lambda: next(times))
    lines.beat()
    lines.tell("storing \x1b[2J of 3")
    lines.beat()
    assert written == [
        "limbeck: reading (10 s so far)\n",
        "limbeck: storing \\x1b[2J of 3 (20 s so far)\n",
    ]


def test_a_log_hears_it_now_and_then_and_no_more_afterwards(monkeypatch):
    written, heard = [], threading.Event()

    def write(line):
        written.append(line)
        if "reading the tree" in line:
            heard.set()

    monkeypatch.setattr(telling, "_write", write)
    with steps("reading", every=0.001) as tell:
        tell("reading the tree")
        assert heard.wait(30)
    told = len(written)
    assert not any(thread.name.endswith("(_beat)") for thread in threading.enumerate())
    assert len(written) == told


@pytest.mark.parametrize("closed", [None, "closed"])
def test_no_work_ends_because_nobody_can_be_told(monkeypatch, closed, tmp_path):
    stream = None
    if closed:
        stream = (tmp_path / "log").open("w")
        stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    telling._write("a line\n")
