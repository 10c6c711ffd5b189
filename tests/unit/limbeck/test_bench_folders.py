"""What measurements make is gone afterwards: at their end, after a signal, and after a kill by the next run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from filelock import FileLock

from limbeck.bench.folders import LOCK, PREFIX, STRANGE_AFTER_S, scratch_folder, sweep
from limbeck.services.program import ROOT

# Says its folder, and the process that runs out of it, then waits to be ended.
RUN = f"""
import shutil, subprocess, sys
sys.path.insert(0, {str(ROOT)!r})
from limbeck.bench.folders import scratch_folder
with scratch_folder() as made:
    program = shutil.copy2({str(Path(shutil.which("sleep") or "").resolve())!r}, made / "server")
    print(made, subprocess.Popen([program, "600"]).pid, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


@pytest.fixture
def run(temporary):
    """A measurement in a process of its own, with its folder and what runs out of it."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", RUN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(temporary)},
        start_new_session=True,
    )
    folder, server = process.stdout.readline().decode().split()
    yield process, Path(folder), psutil.Process(int(server))
    process.kill()
    process.communicate()


def left(temporary):
    return [one.name for one in temporary.iterdir()]


def ended(process):
    """Whether it runs no more, also where nobody has asked how it ended."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_folder_is_there_as_long_as_it_is_used(temporary):
    with scratch_folder() as made:
        assert made.name.startswith(PREFIX)
        assert sweep() == []  # somebody lives in it
        assert made.is_dir()
    assert left(temporary) == []


def test_what_fails_leaves_nothing(temporary):
    with pytest.raises(KeyboardInterrupt), scratch_folder():
        raise KeyboardInterrupt
    assert left(temporary) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_who_is_asked_to_end_cleans_up(run, temporary, number):
    process, folder, server = run
    process.send_signal(number)
    process.communicate()
    assert not folder.exists()
    assert ended(server)
    assert left(temporary) == []


def test_after_a_kill_the_next_run_cleans_up(run, temporary):
    process, folder, server = run
    process.kill()
    process.wait()
    assert folder.is_dir()
    assert not ended(server)
    assert sweep() == [folder]
    assert ended(server)
    assert left(temporary) == []


def test_nothing_of_others_is_touched(temporary):
    held, fresh, link, other = (temporary / f"{PREFIX}{name}" for name in ("held", "fresh", "link", "other"))
    for folder in (held, fresh):
        folder.mkdir()
    target = temporary / "target"
    target.mkdir()
    link.symlink_to(target)
    other.write_text("a file")
    (temporary / "limbeck-else").mkdir()
    with FileLock(held / LOCK):
        assert sweep() == []
    assert sorted(left(temporary)) == sorted(
        ["limbeck-else", "target", *(one.name for one in (held, fresh, link, other))]
    )


def test_what_an_older_version_left_goes_once_nobody_can_use_it(temporary):
    old = temporary / f"{PREFIX}old"
    (old / "postgres").mkdir(parents=True)
    at = time.time() - STRANGE_AFTER_S - 60
    os.utime(old, (at, at))
    assert sweep() == [old]
