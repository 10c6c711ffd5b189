"""Who lives on this machine: a late beat, another machine, a process that is gone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from limbeck.services.signs import living_here


@pytest.fixture
def ended_pid():
    """The number of a process that has ended and was reaped."""
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", ""])
    process.wait()
    return process.pid


def test_a_process_of_this_machine_that_beats_lives():
    name = f"worker-{os.getpid()}@here"
    assert living_here({name: 3.0}, "here") == [name]


def test_silence_of_half_a_minute_is_too_long():
    name = f"worker-{os.getpid()}@here"
    assert living_here({name: 29.9}, "here") == [name]
    assert living_here({name: 30.0}, "here") == []


def test_another_machines_process_is_not_ours():
    assert living_here({f"worker-{os.getpid()}@there": 0.0}, "here") == []


def test_a_fresh_beat_of_a_process_that_is_gone_does_not_count(ended_pid):
    assert living_here({f"worker-{ended_pid}@here": 0.0}, "here") == []


@pytest.mark.parametrize("name", ["worker@here", "worker-x@here", "@here", "worker-1"])
def test_a_name_that_is_none_of_ours_does_not_count(name):
    assert living_here({name: 0.0}, "here") == []
