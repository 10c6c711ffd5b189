from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from limbeck.doctor.finding import Level
from limbeck.doctor.roundtrip import Call, followed, run, sample
from limbeck.install.command import Command
from schema.errors import DatabaseUnavailable

PYTHON = str(Path(sys.executable).resolve())


def stub(folder, text):
    path = folder / "limbeck-hook.py"
    path.write_text(text)
    return Command(PYTHON, str(path), "claude")


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "cursor"])
def test_an_agents_sample_is_a_start_without_a_session(agent, tmp_path):
    arguments, data = sample(agent, tmp_path)
    payload = json.loads(data)
    assert arguments == []
    assert payload["cwd"] == str(tmp_path)
    assert payload["hook_event_name"].lower() == "sessionstart"
    assert not {"session_id", "conversation_id"} & set(payload)


def test_gits_sample_rewrites_what_does_not_exist(tmp_path):
    assert sample("git", tmp_path) == (["post-rewrite", "amend"], b"0" * 40 + b" " + b"0" * 40 + b"\n")


def test_a_hook_gets_its_sample_where_it_belongs(tmp_path):
    command = stub(tmp_path, "import sys, os; open('seen', 'w').write(sys.argv[1] + sys.stdin.read())")
    went = run(command, tmp_path)
    assert (went.code, went.printed) == (0, "")
    assert (tmp_path / "seen").read_text().startswith('claude{"hook_event_name"')


@pytest.mark.parametrize(
    ("text", "arrived", "level", "word"),
    [
        ("", "stored", Level.OK, "stored"),
        ("", None, Level.BROKEN, "did not reach the database"),
        ("", "quarantined", Level.WARNING, "quarantined"),
        ("print('chatter')", "stored", Level.BROKEN, "chatter"),
        ("print('{\"hookSpecificOutput\": {}}')", "stored", Level.OK, "stored"),
        ('print(\'{"decision": "block"}\')', "stored", Level.BROKEN, "decision"),
        ("raise SystemExit(3)", "stored", Level.BROKEN, "exit code 3"),
    ],
)
def test_every_ending_is_told(tmp_path, text, arrived, level, word):
    findings = followed(
        [Call(stub(tmp_path, text), "settings.json", tmp_path)], lambda _kind, _since: arrived
    )
    assert [finding.level for finding in findings] == [level]
    assert word in findings[0].what


def test_an_interpreter_that_is_gone(tmp_path):
    command = Command(str(tmp_path / "python3"), str(tmp_path / "limbeck-hook.py"), "claude")
    findings = followed([Call(command, "settings.json", tmp_path)], lambda _kind, _since: "stored")
    assert [finding.level for finding in findings] == [Level.BROKEN]


def test_a_database_that_is_down_ends_the_round(tmp_path):
    def down(_kind, _since):
        raise DatabaseUnavailable(why="refused")

    one = stub(tmp_path, "")
    two = Command(one.interpreter, one.stub, "codex")
    findings = followed([Call(one, "a", tmp_path), Call(two, "b", tmp_path)], down)
    assert len(findings) == 1
    assert "limbeck up" in findings[0].do


def test_each_call_is_made_in_its_own_folder(tmp_path):
    inside = tmp_path / "repository"
    inside.mkdir()
    command = stub(tmp_path, "open('here', 'w').close()")
    followed([Call(command, "settings.json", inside)], lambda _kind, _since: "stored")
    assert (inside / "here").exists()
