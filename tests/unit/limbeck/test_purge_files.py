"""What a purge does to this machine's own files: events that wait, and logs."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

import pytest

from limbeck import purge_files
from limbeck.services import logs
from limbeck.services.addresses import Addresses
from limbeck.ship.loop import lock

AT = Addresses(
    "postgresql://nobody@127.0.0.1:1/none", "postgresql://nobody@127.0.0.1:1/none", "redis://127.0.0.1:1"
)


@pytest.fixture
def secret() -> str:
    return "ghp_" + secrets.token_hex(18)


@pytest.fixture
def home(tmp_path: Path, secret: str) -> Path:
    """Secrets in a sealed file, in the current one, in an errand and in a log; one event of each is clean."""
    for name in ("spool/errands", "spool/later", "log", "briefs"):
        (tmp_path / name).mkdir(parents=True)
    events = [{"id": "a", "body": {"text": f"use {secret} now"}}, {"id": "b", "body": {"text": "clean"}}]
    lines = "\n".join(json.dumps(event) for event in events) + "\n"
    (tmp_path / "spool" / "current.jsonl").write_text(lines)
    (tmp_path / "spool" / "sealed-1-1.jsonl").write_text("\n" + lines)
    (tmp_path / "spool" / "errands" / "x.json").write_text(json.dumps(events[0]))
    (tmp_path / "log" / "worker.log").write_text(f"a line\nit said {secret}\nanother\n")
    (tmp_path / "log" / "server.log").write_text("nothing here\n")
    (tmp_path / "briefs" / "key").write_text(f"known: {secret}")
    return tmp_path


def holding(home: Path, words: str) -> list[str]:
    return [path.name for path in home.rglob("*") if path.is_file() and words in path.read_text()]


def test_counting_changes_nothing(home, secret):
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    counted = purge_files.counted(home)
    assert (counted.spool, counted.logs) == (3, 1)
    assert counted.secrets == {"github-token": 4}
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_no_file_holds_it_and_no_event_is_lost(home, secret):
    inode = (home / "log" / "worker.log").stat().st_ino
    done = purge_files.purge(home, AT, ["messages"], own_database=False)
    assert holding(home, secret) == []
    assert (done.spool, done.logs) == (3, 1)
    assert done.secrets == {"github-token": 4}
    assert done.not_reached == [purge_files.BELOW]
    kept = [
        json.loads(line)
        for path in (home / "spool").rglob("*.json*")
        for line in path.read_text().splitlines()
        if line.strip()
    ]
    assert sorted(event["id"] for event in kept) == ["a", "a", "a", "b", "b"]
    assert (home / "log" / "worker.log").read_text().splitlines()[::2] == ["a line", "another"]
    assert (home / "log" / "worker.log").stat().st_ino == inode
    assert (home / "log" / "server.log").read_text() == "nothing here\n"


def test_a_shipper_at_work_is_left_alone_and_told_of(home):
    with lock(home / "spool"):
        done = purge_files.purge(home, AT, [], own_database=False)
    assert done.spool == 0
    assert purge_files.SHIPPING in done.not_reached


def test_a_line_that_comes_while_a_log_is_cleaned_is_not_lost(home, secret, monkeypatch):
    redact, late = purge_files.redact, ["late\n", f"late {secret}\n"]

    def slow(text: str) -> tuple[str, dict[str, int]]:
        if late and secret in text:
            with (home / "log" / "worker.log").open("a") as writer:
                writer.write(late.pop())
        return redact(text)

    monkeypatch.setattr(purge_files, "redact", slow)
    done = purge_files.purge(home, AT, [], own_database=False)
    lines = (home / "log" / "worker.log").read_text().splitlines()
    assert [lines[0], lines[2], lines[4]] == ["a line", "another", "late"]
    assert len(lines) == 5
    assert holding(home, secret) == []
    assert done.secrets["github-token"] == 5


def test_logs_that_are_moved_without_end_are_told_of(home, secret, monkeypatch):
    monkeypatch.setattr(purge_files, "PATIENCE", 0)
    with logs.rewriting(home / "log"):
        done = purge_files.purge(home, AT, [], own_database=False)
    assert purge_files.MOVING in done.not_reached
    assert holding(home, secret) == ["worker.log"]
