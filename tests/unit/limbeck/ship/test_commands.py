"""What the commands of the spool and the preview print."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from capture import spool as writer
from capture.config import HookConfig, write
from capture.policy import Policy
from limbeck.main import main

PROMPT = {"session_id": "s", "cwd": "/home/u/proj", "hook_event_name": "UserPromptSubmit", "prompt": "fix it"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "limbeck"
    path.mkdir(mode=0o700)
    monkeypatch.setenv("LIMBECK_HOME", str(path))
    return path


def give(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))


def code(*words: str) -> int | str | None:
    with pytest.raises(SystemExit) as left:
        main(words)
    return left.value.code


def test_a_preview_shows_what_would_be_sent(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    give(monkeypatch, json.dumps(PROMPT).encode())
    assert code("hook-preview", "claude") == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["kind"], shown["body"]["text"], shown["project"]) == (
        "prompt",
        "fix it",
        {"root": "/home/u/proj"},
    )
    assert not (home / "spool").exists()


def test_a_preview_for_a_script_is_one_list(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    give(monkeypatch, json.dumps(PROMPT).encode())
    assert code("hook-preview", "claude", "--json") == 0
    assert [one["body"]["text"] for one in json.loads(capsys.readouterr().out)] == ["fix it"]
    give(monkeypatch, b"{}")
    assert code("hook-preview", "claude", "--json") == 0
    assert capsys.readouterr() == ("[]\n", "")


@pytest.mark.parametrize(
    ("agent", "raw", "result", "why"),
    [
        ("claude", b"{", 1, "is not a JSON object"),
        ("nobody", b"{}", 2, "no hook for 'nobody'"),
        ("claude", b"{}", 0, "nothing of this is kept"),
    ],
)
def test_a_preview_says_why_there_is_none(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    agent: str,
    raw: bytes,
    result: int,
    why: str,
) -> None:
    give(monkeypatch, raw)
    assert code("hook-preview", agent) == result
    assert why in capsys.readouterr().err


def test_a_preview_heeds_the_policy(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(home, HookConfig("local", str(home / "spool"), policy=Policy(projects=["/home/u/proj"])))
    give(monkeypatch, json.dumps(PROMPT).encode())
    assert code("hook-preview", "claude", "--pretty") == 0
    assert capsys.readouterr().out == ""


def test_the_spool_tells_what_waits(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert code("spool", "status") == 0
    assert "Nothing waits" in capsys.readouterr().out
    writer.append(str(home / "spool"), b"{}", 1000)
    writer.count(str(home / "spool"), writer.UNREADABLE)
    assert code("spool", "status") == 0
    said = capsys.readouterr().out
    assert "4 bytes in 1 file and 0 errands wait" in said
    assert "Not kept: 1 call of a hook with something that is no JSON object" in said
    assert code("spool", "status", "--json") == 0
    assert json.loads(capsys.readouterr().out)["bytes"] == 4


def test_draining_into_nothing_is_a_sentence(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = {"v": 1, "id": "01a22c70-1f99-7567-93c4-7a5761d3dbe3"}
    writer.append(str(home / "spool"), json.dumps(event).encode(), 1000)
    assert code("spool", "drain") == 1
    assert "Limbeck is not running here" in capsys.readouterr().err
    assert list((home / "spool").glob("sealed-*.jsonl"))
