"""What a killed process left half-written goes at the next start; what is whole, or being written, stays."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from limbeck.services.home import Home
from limbeck.services.unfinished import sweep


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-ISc", ""]) as process:
        process.wait()
    return process.pid


@pytest.fixture
def home(tmp_path):
    for name in ("run", "briefs", "hooks", "model", "spool/errands", "spool/later", "spool/aside"):
        (tmp_path / name).mkdir(parents=True)
    return Home(tmp_path)


def files(home: Home) -> set[str]:
    return {str(path.relative_to(home.path)) for path in home.path.rglob("*") if path.is_file()}


LEFT = (
    *(
        ".token.{}",
        "hook.json.{}",
        "run/.state.{}",
        "run/.server.json.{}",
        "run/probe.{}",
        "model/.minilm.{}",
    ),
    *("briefs/root_3a_2fhome.{}", "hooks/bundle.{}", "spool/.sealed-1-2.jsonl.{}", "spool/errands/.id.{}"),
    *("spool/later/.id.{}", "spool/aside/.id.{}"),
)


def test_what_a_process_that_ended_wrote_goes(home, gone):
    whole = {
        "model/minilm",
        "run/state.json",
        "spool/current.jsonl",
        "hook.json",
        "config.toml.1",
        "notes.2026",
    }
    for name in [*whole, *(one.format(gone) for one in LEFT)]:
        (home.path / name).write_text("x")
    assert sorted(sweep(home)) == sorted(one.format(gone) for one in LEFT)
    assert files(home) == whole


def test_what_a_living_process_writes_stays_and_what_another_of_its_number_wrote_goes(home):
    for name in ("model/.minilm.{}", "run/.state.{}"):
        (home.path / name.format(os.getpid())).write_text("x")
    os.utime(home.run / f".state.{os.getpid()}", (1e9, 1e9))
    assert sweep(home) == [f"run/.state.{os.getpid()}"]


def test_a_random_name_goes_once_it_is_older_than_any_writing(home):
    for name in (".config.toml.abcd1234", ".installed.json.zz_z0000", ".config.toml.lock", ".other.abcd1234"):
        (home.path / name).write_text("x")
        os.utime(home.path / name, (1e9, 1e9))
    (home.path / ".config.toml.young123").write_text("x")
    assert sorted(sweep(home)) == [".config.toml.abcd1234", ".installed.json.zz_z0000"]
