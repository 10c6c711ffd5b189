"""A session's start is answered with the project's brief, and nothing else is ever said."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from capture import brief
from capture.brief import Brief
from capture.config import HookConfig, write
from capture.ids import new_id
from tests.acceptance.hooks.conftest import Hook

REMOTE = "git.example.org/team/shop"
TEXT = "<limbeck-memory>\n- The tests run with `make test`.\n</limbeck-memory>"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A repository with a remote, as the hook reads it: no git needed."""
    folder = tmp_path / "work"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text(f'[remote "origin"]\n\turl = https://{REMOTE}.git\n')
    return folder


def given(hook: Hook, key: str = f"remote:{REMOTE}", text: str = TEXT) -> str:
    """Put a brief where the hook looks, as the shipper does; returns its id."""
    folder, ident = hook.home / brief.FOLDER, new_id()
    write(hook.home, HookConfig("local", str(hook.spool), brief=str(folder)))
    brief.write(str(folder), key, Brief(ident, text))
    return ident


def start(cwd: Path, **more: Any) -> dict[str, Any]:
    said = {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": str(cwd), "source": "startup"}
    return said | more


def answer(hook: Hook, agent: str, payload: dict[str, Any]) -> bytes:
    process = hook.start(agent)
    out, err = process.communicate(json.dumps(payload).encode())
    assert (process.returncode, err) == (0, b"")
    return out


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_the_brief_is_the_context_of_the_session_that_starts(hook: Hook, work: Path, agent: str) -> None:
    ident = given(hook)
    said = json.loads(answer(hook, agent, start(work)))
    assert said == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": TEXT}}
    assert hook.events()[0]["body"]["brief"] == ident


def test_cursor_takes_it_in_its_own_words(hook: Hook, work: Path) -> None:
    given(hook)
    payload = {"hook_event_name": "sessionStart", "conversation_id": "c1", "workspace_roots": [str(work)]}
    assert json.loads(answer(hook, "cursor", payload)) == {"additional_context": TEXT}


def test_the_plain_modules_say_the_same(plain_hook: Hook, work: Path) -> None:
    given(plain_hook)
    said = json.loads(answer(plain_hook, "claude", start(work)))
    assert said["hookSpecificOutput"]["additionalContext"] == TEXT


def test_a_prompt_is_answered_with_nothing(hook: Hook, work: Path) -> None:
    given(hook)
    payload = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(work), "prompt": "go"}
    assert answer(hook, "claude", payload) == b""


def test_another_projects_brief_is_not_said(hook: Hook, work: Path) -> None:
    given(hook, key="remote:git.example.org/team/other")
    assert answer(hook, "claude", start(work)) == b""


def test_a_file_under_the_wrong_key_is_not_said(hook: Hook, work: Path) -> None:
    given(hook, key="remote:git.example.org/team/other")
    folder = hook.home / brief.FOLDER
    os.replace(
        folder / brief.file_name("remote:git.example.org/team/other"),
        folder / brief.file_name(f"remote:{REMOTE}"),
    )
    assert answer(hook, "claude", start(work)) == b""


def test_switched_off_nothing_is_said(hook: Hook, work: Path) -> None:
    given(hook)
    (hook.home / brief.OFF).touch()
    assert answer(hook, "claude", start(work)) == b""
    assert "brief" not in hook.events()[0]["body"]


def test_what_is_too_long_for_an_agent_is_not_said(hook: Hook, work: Path) -> None:
    given(hook, text="x" * 10_001)
    assert answer(hook, "claude", start(work)) == b""


def test_an_ignored_project_is_told_nothing(hook: Hook, work: Path) -> None:
    given(hook)
    (work / ".limbeckignore").write_text("*\n")
    out = answer(hook, "claude", start(work))
    assert (out == b"") == (hook.events() == [])


def test_the_file_is_the_owners_alone(hook: Hook) -> None:
    given(hook)
    folder = hook.home / brief.FOLDER
    path = folder / brief.file_name(f"remote:{REMOTE}")
    assert (folder.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)


def test_a_closed_standard_output_is_no_trouble(hook: Hook, work: Path) -> None:
    given(hook)
    reader, writer = os.pipe()
    os.close(reader)
    process = hook.start("claude", stdout=writer)
    os.close(writer)
    _, err = process.communicate(json.dumps(start(work)).encode())
    assert (process.returncode, err, len(hook.events())) == (0, b"", 1)
