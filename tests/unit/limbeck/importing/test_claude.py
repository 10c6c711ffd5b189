"""A Claude Code transcript becomes the events that live capture would have sent."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from limbeck.importing.claude import read
from limbeck.importing.recorded import BrokenLine, Recorded

SESSION = "be3f8a32-32fd-47b2-82f4-318cf680c404"
T0 = 1_795_773_600_000  # 2026-11-27T10:00:00Z


class Transcript:
    """Builds lines; one second passes a line."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def add(self, kind: str, message: Any = None, **more: Any) -> Transcript:
        number = len(self.lines)
        line = {
            "type": kind,
            "uuid": str(UUID(int=number)),
            "timestamp": f"2026-11-27T10:00:{number:02d}.000Z",
            "sessionId": SESSION,
            "cwd": "/home/u/proj",
            "isSidechain": False,
        }
        if message is not None:
            line["message"] = message
        self.lines.append(json.dumps(line | more).encode() + b"\n")
        return self

    def prompt(self, text: str, **more: Any) -> Transcript:
        return self.add("user", {"role": "user", "content": text}, **more)

    def says(self, text: str, **more: Any) -> Transcript:
        return self.add(
            "assistant", {"role": "assistant", "content": [{"type": "text", "text": text}]}, **more
        )

    def calls(self, call: str, name: str, given: dict[str, Any], **more: Any) -> Transcript:
        block = {"type": "tool_use", "id": call, "name": name, "input": given}
        return self.add("assistant", {"role": "assistant", "content": [block]}, **more)

    def answers(self, call: str, result: Any, error: str | None = None, **more: Any) -> Transcript:
        block = {
            "type": "tool_result",
            "tool_use_id": call,
            "is_error": error is not None,
            "content": error or "done",
        }
        return self.add("user", {"role": "user", "content": [block]}, toolUseResult=result, **more)


def events(transcript: Transcript, subagent_type: str = "") -> list[Recorded]:
    found = list(read(transcript.lines, subagent_type))
    assert all(isinstance(one, Recorded) for one in found)
    return found  # type: ignore[return-value]


def kinds(transcript: Transcript) -> list[str]:
    return [one.event.kind for one in events(transcript)]


def test_a_turn_is_prompt_calls_and_the_last_thing_said():
    made = (
        Transcript()
        .prompt("fix the login", promptId="p-1")
        .says("Let me look.")
        .calls("t1", "Bash", {"command": "pytest -q"})
        .answers("t1", "Error: Exit code 1", error="Exit code 1\n1 failed")
        .calls("t2", "Edit", {"file_path": "/home/u/proj/a.py"})
        .answers("t2", {"filePath": "/home/u/proj/a.py"})
        .says("Fixed.")
        .prompt("thanks", promptId="p-2")
    )
    prompt, failed, edited, reply, thanks = events(made)
    assert (prompt.event.kind, prompt.event.text, prompt.event.turn, prompt.at) == (
        "prompt",
        "fix the login",
        "p-1",
        T0,
    )
    assert (failed.event.tool.outcome, failed.event.tool.exit, failed.event.call) == ("failed", 1, "t1")
    assert (edited.event.tool.tool, edited.event.tool.path) == ("Edit", "/home/u/proj/a.py")
    assert edited.event.tool.outcome == "ok"
    assert (reply.event.kind, reply.event.text, reply.event.turn, reply.at) == (
        "reply",
        "Fixed.",
        "p-1",
        T0 + 6000,
    )
    assert thanks.event.turn == "p-2"
    assert {one.event.session for one in events(made)} == {SESSION}


def test_machine_prompts_are_told_apart_and_summaries_are_kept():
    made = Transcript().prompt("<task-notification>\n<task-id>1</task-id>")
    made.prompt("This session is being continued", isCompactSummary=True).prompt("hidden", isMeta=True)
    first, summary = events(made)
    assert first.event.extra["machine"] is True
    assert (summary.event.kind, summary.event.text) == ("compaction", "This session is being continued")


def test_copies_of_requests_and_unknown_records_are_passed_over():
    made = Transcript().prompt("hello")
    copy = {"type": "api-request-blob", "message": {"role": "user", "content": "hello"}}
    made.lines.append(json.dumps(copy).encode())
    made.add("attachment").add("system", subtype="turn_duration").add("file-history-snapshot")
    assert kinds(made) == ["prompt"]


def test_a_subagents_file_gives_its_calls_and_its_report():
    agent = {"isSidechain": True, "agentId": "a1"}
    made = (
        Transcript().prompt("Find the login code", **agent).calls("t1", "Grep", {"pattern": "login"}, **agent)
    )
    made.answers("t1", {"numFiles": 1}, **agent).says("It is in a.py", **agent)
    grep, report = events(made, "Explore")
    assert grep.event.subagent == report.event.subagent == {"id": "a1", "type": "Explore"}
    assert (report.event.kind, report.event.text) == ("subagent", "It is in a.py")


def test_broken_lines_are_named_and_the_rest_is_read():
    made = Transcript().prompt("one").prompt("two")
    found = list(read([made.lines[0], b'{"type": "us', b"\n", made.lines[1]]))
    assert [one for one in found if isinstance(one, BrokenLine)] == [BrokenLine(2)]
    assert [one.event.text for one in found if isinstance(one, Recorded)] == ["one", "two"]


def test_reading_twice_makes_the_same_ids_and_no_two_alike():
    made = (
        Transcript()
        .prompt("a", promptId="p")
        .calls("t1", "Bash", {"command": "ls"})
        .answers("t1", {})
        .says("b")
    )
    first, second = ([one.ident for one in events(made)] for _ in range(2))
    assert first == second
    assert len(set(first)) == len(first) == 3
    assert all(UUID(ident).version == 7 for ident in first)


KEYS = ["type", "uuid", "timestamp", "message", "content", "role", "toolUseResult"]
leaves = st.none() | st.text(max_size=5) | st.sampled_from(["user", "assistant", "2026-11-27T10:00:00Z"])
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
)


@given(st.lists(st.binary(max_size=60) | values.map(lambda value: json.dumps(value).encode()), max_size=6))
def test_no_line_whatever_it_holds_stops_the_reading(lines: list[bytes]):
    for one in read(lines):
        assert isinstance(one, Recorded | BrokenLine)
