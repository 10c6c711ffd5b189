"""Codex: its hook payloads in the normal form. What they leave out, the rollout file tells the shipper."""

from __future__ import annotations

from capture.event import OK, UNKNOWN, Call, Event
from capture.patch import patched_files
from hooks import payload
from hooks.machine import machine

AGENT = "codex"


def wants_input(_arguments: list[str]) -> bool:
    """Every event comes as JSON on standard input."""
    return True


def read(_arguments: list[str], raw: bytes) -> list[Event]:
    """Return the events in one payload: one, or none where it is not worth keeping."""
    said = payload.decode(raw)
    name = payload.text(said, "hook_event_name") or ""
    reader = _READERS.get(name)
    event = reader(said, name) if reader else None
    return [event] if event else []


def _event(said: dict[str, object], name: str, kind: str) -> Event:
    event = Event(
        AGENT,
        name,
        kind,
        session=payload.text(said, "session_id"),
        turn=payload.text(said, "turn_id"),
        cwd=payload.text(said, "cwd"),
    )
    agent = payload.text(said, "agent_id")
    if agent:
        event.subagent = {"id": agent, "type": payload.text(said, "agent_type") or ""}
    return event


def _start(said: dict[str, object], name: str) -> Event:
    event = _event(said, name, "session.start")
    event.extra = {"source": payload.text(said, "source"), "model": payload.text(said, "model")}
    return event


def _prompt(said: dict[str, object], name: str) -> Event | None:
    event = _event(said, name, "prompt")
    event.text = payload.text(said, "prompt")
    if event.text is None:
        return None
    # inside a subagent the prompt is the agent's own
    event.extra = {"machine": machine(event.text) or event.subagent is not None}
    return event


def _tool(said: dict[str, object], name: str) -> Event | None:
    tool = payload.text(said, "tool_name")
    if tool is None:
        return None
    event = _event(said, name, "tool")
    event.call = payload.text(said, "tool_use_id")
    given = payload.table(said, "tool_input")
    command, server = payload.command(given.get("command")), None
    if tool.startswith("mcp__"):
        server = tool.split("__")[1]
    event.tool = Call(tool, path=payload.text(given, "path", "file_path"), server=server, outcome=OK)
    if tool == "apply_patch":
        event.tool.files = patched_files(command or payload.text(given, "input", "patch") or "")
        answer = payload.text(said, "tool_response") or ""
        event.tool.exit = payload.exit_code(answer[:64], "Exit code: ")
    elif command:
        event.tool.command = command
        event.tool.outcome = UNKNOWN  # the output comes without the exit code
    return event


def _reply(said: dict[str, object], name: str) -> Event:
    event = _event(said, name, "reply")
    event.text = payload.text(said, "last_assistant_message")
    event.extra = {"reason": "interrupt" if name == "Interrupt" else "stop"}
    return _with_rollout(event, said)


def _subagent(said: dict[str, object], name: str) -> Event:
    event = _event(said, name, "subagent")
    event.text = payload.text(said, "last_assistant_message")
    return _with_rollout(event, said, "agent_transcript_path")


def _compaction(said: dict[str, object], name: str) -> Event:
    event = _event(said, name, "compaction")
    event.extra = {"trigger": payload.text(said, "trigger")}
    return event


def _end(said: dict[str, object], name: str) -> Event:
    event = _event(said, name, "session.end")
    event.extra = {"reason": payload.text(said, "reason")}
    return _with_rollout(event, said)


def _with_rollout(event: Event, said: dict[str, object], key: str = "transcript_path") -> Event:
    event.transcript = payload.text(said, key)
    event.needs = "rollout" if event.transcript else None
    return event


_READERS = {
    "SessionStart": _start,
    "UserPromptSubmit": _prompt,
    "PostToolUse": _tool,
    "Stop": _reply,
    "Interrupt": _reply,
    "SubagentStop": _subagent,
    "PostCompact": _compaction,
    "SessionEnd": _end,
}
