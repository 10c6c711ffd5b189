"""The demonstration, run as a person runs it: real hooks, servers, workers and commits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from limbeck.services.program import python_command


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Its temporary folders are made under a short, empty one."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "COLUMNS": "300",
    }


def demo(*words: str) -> list[str]:
    return python_command("limbeck.main", "demo", *words)


@pytest.fixture
def folders() -> set[Path]:
    return set(Path("/tmp").glob("limbeck-demo-*"))


def test_three_sessions_become_memory_and_nothing_is_left_behind(environment, folders):
    done = subprocess.run(
        demo("--json"), env=environment, capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    sums = told["sums"]
    assert sums["received"] == sums["stored"] + sums["merged"] + sums["redelivered"] + sums["quarantined"]
    assert (
        sums["merged"] >= 1
    )  # a hook that had to spool arrives late, and a late call may open a window of its own
    assert told["token"] == {"files": [], "tables": [], "queue": []}

    believed = {(fact["subject"], fact["value"]): fact for fact in told["facts"]}
    assert believed["backend", "Rust"]["current"]
    python = believed["backend", "Python"]
    assert not python["current"]
    assert "Rust" in python["reason"]
    assert believed["backend", "Rust"]["commits"]
    assert python["superseded_by"] == believed["backend", "Rust"]["id"]

    answers = {question: answer["hits"] for question, answer in told["answers"].items()}
    why = " ".join(hit["text"] for hit in answers["why did we choose Postgres?"])
    assert "several clerks write at once" in why
    backend = answers["what is the backend written in?"]
    assert "Rust" in backend[0]["text"]
    assert not any(hit["kind"] == "fact" and "written in Python" in hit["text"] for hit in backend)
    assert "15 minutes" in answers["what changed in auth?"][0]["text"]
    assert "The backend is written in Rust" in told["brief"]
    assert "written in Python" not in told["brief"]

    assert set(Path("/tmp").glob("limbeck-demo-*")) == folders


def test_interrupted_it_stops_and_removes_everything(environment, folders):
    process = subprocess.Popen(
        demo(), env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if "session one" in line:
            break
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode != 0
    psutil.wait_procs(children, timeout=30)
    assert set(Path("/tmp").glob("limbeck-demo-*")) == folders
    assert not [p for p in psutil.process_iter(["cmdline"]) if _of_a_demo(p, folders)]


def _of_a_demo(process: psutil.Process, folders: set[Path]) -> bool:
    words = " ".join(process.info["cmdline"] or ())
    return "limbeck-demo-" in words and not any(str(folder) in words for folder in folders)


def test_only_a_kept_demonstration_is_removed(environment, tmp_path):
    precious = tmp_path / "precious"
    (precious / "home").mkdir(parents=True)
    (precious / "home" / "letter").write_text("dear")
    link = tmp_path / "limbeck-demo-link"
    link.symlink_to(precious)
    unmarked = tmp_path / "limbeck-demo-other"
    (unmarked / "home").mkdir(parents=True, mode=0o700)
    unmarked.chmod(0o700)
    for folder in (tmp_path, link, unmarked, Path("/")):
        done = subprocess.run(
            demo("--end", str(folder)),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, "is not a demonstration" in done.stderr) == (1, True), folder
    assert (precious / "home" / "letter").read_text() == "dear"
    assert unmarked.is_dir()
