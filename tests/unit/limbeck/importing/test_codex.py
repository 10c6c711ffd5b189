"""A Codex rollout becomes events, with the outcomes that its hooks could not know."""

from __future__ import annotations

import json
from typing import Any

from limbeck.importing.codex import read
from limbeck.importing.recorded import BrokenLine, Recorded

SESSION = "01a22bf4-16c6-73f3-90f7-ec8dc51ad611"


def line(kind: str, payload: dict[str, Any], second: int) -> bytes:
    return json.dumps(
        {"timestamp": f"2026-11-27T10:00:{second:02d}.000Z", "type": kind, "payload": payload}
    ).encode()


def item(second: int, **fields: Any) -> bytes:
    return line("event_msg", {"type": "item_completed", "turn_id": "turn-1", "item": fields}, second)


META = line("session_meta", {"id": SESSION, "cwd": "/home/u/proj"}, 0)
TURN = line("turn_context", {"turn_id": "turn-1", "cwd": "/home/u/proj"}, 1)


def events(*lines: bytes) -> list[Recorded]:
    return [one for one in read(lines) if isinstance(one, Recorded)]


def test_prompt_commands_patch_and_reply():
    found = events(
        META,
        TURN,
        line(
            "response_item",
            {"type": "message", "role": "user", "content": [{"text": "<environment_context>"}]},
            2,
        ),
        item(3, type="UserMessage", content=[{"type": "text", "text": "fix the test"}]),
        item(
            4,
            type="CommandExecution",
            id="call_1",
            command=["/bin/bash", "-lc", "pytest -q"],
            cwd="file:///home/u/proj",
            status="failed",
            exit_code=1,
            duration={"secs": 1, "nanos": 500_000_000},
        ),
        item(5, type="FileChange", id="call_2", changes={"a.py": {"type": "update"}}, status="completed"),
        item(6, type="AgentMessage", content=[{"type": "text", "text": "Fixed."}]),
    )
    assert [one.event.kind for one in found] == ["prompt", "tool", "tool", "reply"]
    prompt, command, patch, reply = (one.event for one in found)
    assert (prompt.text, prompt.extra["machine"]) == ("fix the test", False)
    assert (command.tool.command, command.tool.outcome, command.tool.exit) == ("pytest -q", "failed", 1)
    assert (command.tool.ms, command.call) == (1500, "call_1")
    assert (patch.tool.tool, list(patch.tool.files), patch.tool.outcome) == ("apply_patch", ["a.py"], "ok")
    assert (reply.text, reply.turn) == ("Fixed.", "turn-1")
    assert {one.event.session for one in found} == {SESSION}


def test_the_older_form_is_read_too():
    found = events(
        META,
        line("event_msg", {"type": "user_message", "message": "hello"}, 1),
        line(
            "event_msg", {"type": "exec_command_end", "call_id": "c1", "command": ["ls"], "exit_code": 0}, 2
        ),
        line("event_msg", {"type": "agent_message", "message": "hi"}, 3),
    )
    assert [(one.event.kind, one.event.text) for one in found] == [
        ("prompt", "hello"),
        ("tool", None),
        ("reply", "hi"),
    ]
    assert found[1].event.tool.outcome == "ok"


def test_a_subagents_rollout_belongs_to_its_parents_session():
    meta = line("session_meta", {"id": "child", "parent_thread_id": SESSION, "cwd": "/p"}, 0)
    found = events(
        meta, item(1, type="UserMessage", message="look"), item(2, type="AgentMessage", message="found")
    )
    assert [one.event.kind for one in found] == ["subagent"]
    assert found[0].event.session == SESSION
    assert found[0].event.subagent == {"id": "child", "type": "default"}


def test_a_broken_line_is_named():
    assert [one for one in read([META, b"{"]) if isinstance(one, BrokenLine)] == [BrokenLine(2)]
