from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from capture.config import HookConfig
from capture.policy import Policy
from limbeck.ship import errands, rollouts


def line(item: dict[str, Any], turn: str = "t1", kind: str = "item_completed") -> str:
    payload = (
        {"type": kind, "turn_id": turn, "item": item} if kind == "item_completed" else {"type": kind, **item}
    )
    return json.dumps({"timestamp": "2026-11-30T10:15:47Z", "type": "event_msg", "payload": payload})


def rollout(folder: Path, *lines: str) -> Path:
    path = folder / "rollout-x.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_how_calls_ended(tmp_path: Path) -> None:
    path = rollout(
        tmp_path,
        json.dumps({"type": "session_meta", "payload": {"id": "x"}}),
        line({"type": "CommandExecution", "id": "c1", "status": "failed", "exit_code": 1}),
        line({"type": "CommandExecution", "id": "c2", "status": "completed", "exit_code": 0}),
        line({"type": "CommandExecution", "id": "c3", "status": "declined"}),
        line({"type": "CommandExecution", "id": "c4", "exit_code": 0}, turn="t2"),
        line({"call_id": "c5", "exit_code": 7}, kind="exec_command_end"),
        "{broken",
    )
    assert rollouts.read(path, "t1").outcomes == [
        {"call": "c1", "outcome": "failed", "exit": 1},
        {"call": "c2", "outcome": "ok", "exit": 0},
        {"call": "c3", "outcome": "failed"},
        {"call": "c5", "outcome": "failed", "exit": 7},
    ]
    assert len(rollouts.read(path, None).outcomes) == 5


def test_calls_that_no_hook_reports(tmp_path: Path) -> None:
    path = rollout(
        tmp_path,
        line({"type": "FileChange", "id": "c1", "changes": {"/p/a.py": {}}, "status": "completed"}),
        line({"type": "FileChange", "id": "c2", "changes": {"/p/secret/b.py": {}}, "status": "failed"}),
        line({"type": "McpToolCall", "id": "c3", "server": "mem", "tool": "x", "status": "failed"}),
        line({"type": "McpToolCall", "id": "c4", "server": "mem", "tool": "x", "status": "completed"}),
        line({"type": "McpToolCall", "id": "c5", "server": "limbeck", "tool": "recall", "status": "failed"}),
    )
    envelope = {
        "v": 1,
        "id": "01a22c70-1f99-7567-93c4-7a5761d3dbe3",
        "at": 1_796_000_000_000,
        "agent": "codex",
        "origin": "hook",
        "session": "s",
        "turn": "t1",
        "cwd": "/p",
        "project": {"root": "/p"},
        "transcript": str(path),
    }
    config = HookConfig("local", str(tmp_path), policy=Policy(paths=["secret/"]))
    made = errands._outcomes(envelope, config)
    assert [(one["kind"], one["call"], one["body"]) for one in made] == [
        ("tool", "c1", {"tool": "apply_patch", "files": ["a.py"], "outcome": "ok"}),
        ("tool", "c3", {"tool": "mcp__mem__x", "server": "mem", "outcome": "failed"}),
    ]
    assert made == errands._outcomes(envelope, config)


def test_a_file_that_is_gone_or_not_whole_tells_what_it_can(tmp_path: Path) -> None:
    assert rollouts.read(tmp_path / "no.jsonl", None).outcomes == []
    path = rollout(tmp_path, line({"type": "CommandExecution", "id": "c1", "exit_code": 0}))
    with path.open("a") as file:
        file.write(line({"type": "CommandExecution", "id": "c2", "exit_code": 0})[:-5])
    assert [one["call"] for one in rollouts.read(path, None).outcomes] == ["c1"]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "item", "id", "exit_code", "changes", "status", "result"]),
            inner,
            max_size=4,
        )
    ),
)


@given(payload=values)
def test_no_shape_of_line_breaks_it(tmp_path_factory: Any, payload: object) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_text(json.dumps({"type": "event_msg", "payload": payload}) + "\n")
    rollouts.read(path, "t")


def test_an_exit_code_no_row_can_hold_is_left_out() -> None:
    assert rollouts.outcome_of("c", {"exit_code": 1 << 31}) == {"call": "c", "outcome": "failed"}
    assert rollouts.outcome_of("c", {"exit_code": -9}) == {"call": "c", "outcome": "failed", "exit": -9}
