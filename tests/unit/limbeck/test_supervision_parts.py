"""The small parts around the supervisor: duties, logs, the state file, identities, the processor check."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from limbeck.errors import ProcessorTooOld
from limbeck.services import state as states
from limbeck.services.child import Identity, last_lines, last_of
from limbeck.services.duty import Duty
from limbeck.services.logs import shorten
from limbeck.services.processor import require_vector_instructions
from limbeck.services.state import ChildState, Phase, State


def test_a_duty_is_done_when_due_and_its_failure_is_kept_until_it_is_over(caplog):
    now, calls, fails = [0.0], [], [True]

    def act() -> None:
        calls.append(now[0])
        if fails[0]:
            raise OSError(5, "no luck")

    duty = Duty("a thing", 2.0, act, lambda: now[0])
    for now[0] in (0.0, 1.0, 2.0, 4.0):
        duty.do_when_due()
    assert calls == [0.0, 2.0, 4.0]
    assert duty.error == "OSError: no luck"
    assert len(caplog.records) == 1
    fails[0], now[0] = False, 6.0
    duty.do_when_due()
    assert duty.error is None


def test_a_large_log_is_emptied_and_its_end_kept_privately(tmp_path):
    log, small = tmp_path / "a.log", tmp_path / "b.log"
    log.write_bytes(b"old" * 10 + b"new" * 10)
    small.write_bytes(b"small")
    with log.open("ab") as writer:
        shorten(tmp_path, largest=30)
        writer.write(b"more")
    assert log.read_bytes() == b"more"
    assert (tmp_path / "a.log.1").read_bytes() == b"new" * 10
    assert (tmp_path / "a.log.1").stat().st_mode & 0o777 == 0o600
    assert small.read_bytes() == b"small"


def test_the_state_file_reads_back_as_it_was_written_and_is_private(tmp_path):
    written = State(
        Identity(7, 1.5),
        Phase.READY,
        "postgres",
        2.5,
        None,
        ["a warning"],
        {"redis": ChildState(Identity(8, 1.6), 2, None), "worker": ChildState(None, 0, "it fell")},
    )
    states.write(tmp_path, written)
    assert states.read(tmp_path) == written
    assert (tmp_path / "state.json").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"supervisor": {"pid": 1}, "children": {}}'])
def test_a_state_file_that_makes_no_sense_counts_as_none(tmp_path, text):
    (tmp_path / "state.json").write_text(text)
    assert states.read(tmp_path) is None


def test_identity_is_pid_and_start_time():
    mine = Identity.own()
    assert mine.pid == os.getpid()
    assert mine.process() is not None
    assert Identity(mine.pid, mine.started - 60).process() is None


def test_a_zombie_counts_as_gone():
    child = subprocess.Popen([sys.executable, "-ISc", "input()"], stdin=subprocess.PIPE)
    identity = Identity.of(child.pid)
    assert identity.process() is not None
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert identity.process() is None
    child.stdin.close()
    child.wait()
    assert Identity.of(child.pid) is None


def test_the_last_lines_of_a_log_skip_blank_ones(tmp_path):
    log = tmp_path / "x.log"
    log.write_text("one\ntwo\n\n  three \n\n")
    assert last_lines(log) == "two / three"
    assert last_lines(tmp_path / "none.log") == ""
    assert last_of("a\n b \n\n") == "b"


@pytest.mark.parametrize(
    ("machine", "line", "missing"),
    [
        ("x86_64", "flags\t\t: fpu avx2 bmi1 bmi2 fma", None),
        ("x86_64", "flags\t\t: fpu avx bmi1", "avx2, fma, bmi2"),
        ("aarch64", "Features\t: fp asimd sve", None),
        ("aarch64", "Features\t: fp asimd", "sve"),
        ("riscv64", "isa\t: rv64imafdc", None),
    ],
)
def test_a_processor_without_the_instructions_is_named(tmp_path, machine, line, missing):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor\t: 0\n{line}\n\nprocessor\t: 1\n{line}\n")
    if missing is None:
        require_vector_instructions(cpuinfo, machine, "Linux")
        return
    with pytest.raises(ProcessorTooOld, match=missing):
        require_vector_instructions(cpuinfo, machine, "Linux")


def test_where_linux_says_nothing_we_must_try(tmp_path):
    require_vector_instructions(tmp_path / "none", "x86_64", "Linux")
    require_vector_instructions(tmp_path / "none", "arm64", "Darwin")
