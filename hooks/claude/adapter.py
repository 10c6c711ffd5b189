"""Claude Code: its hook payloads in the normal form."""

from __future__ import annotations

from capture.event import FAILED, OK, UNKNOWN, Call, Event
from hooks import payload
from hooks.machine import machine

AGENT = "claude"


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
        turn=payload.text(said, "prompt_id"),
        cwd=payload.text(said, "cwd"),
    )
    agent = payload.text(said, "agent_id")
    if agent:  # the type alone also stands on the main thread
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
    event.extra = {"machine": machine(event.text, payload.text(said, "source"))}
    return event


def _tool(said: dict[str, object], name: str) -> Event | None:
    tool = payload.text(said, "tool_name")
    if tool is None:
        return None
    event = _event(said, name, "tool")
    event.call = payload.text(said, "tool_use_id")
    given, answer = payload.table(said, "tool_input"), payload.table(said, "tool_response")
    outcome, code = _outcome(said, name, tool, answer)
    event.tool = Call(
        tool,
        command=payload.command(given.get("command")),
        path=payload.text(given, "file_path", "notebook_path", "path"),
        outcome=outcome,
        exit=code,
        ms=payload.number(said, "duration_ms"),
        server=payload.text(payload.table(said, "mcp_server"), "name"),
    )
    return event


def _outcome(
    said: dict[str, object], name: str, tool: str, answer: dict[str, object]
) -> tuple[str, int | None]:
    if name == "PostToolUseFailure":
        error = payload.text(said, "error") or ""
        return FAILED, payload.exit_code(error[:200], "Exit code ")
    if answer.get("interrupted") is True or payload.number(answer, "timedOutAfterMs") is not None:
        return FAILED, None
    if payload.text(answer, "backgroundTaskId") or answer.get("status") in (
        "async_launched",
        "remote_launched",
    ):
        return UNKNOWN, None  # it only began
    exited = tool in ("Bash", "PowerShell") and not payload.text(answer, "returnCodeInterpretation")
    return OK, 0 if exited else None


def _reply(said: dict[str, object], name: str) -> Event:
    event = _event(said, name, "reply")
    event.text = payload.text(said, "last_assistant_message")
    event.extra = {"reason": "stop" if name == "Stop" else "failure"}
    return event


def _subagent(said: dict[str, object], name: str) -> Event | None:
    if not payload.text(said, "agent_type"):
        return None  # a fork of the agent's own, such as the one that compacts
    event = _event(said, name, "subagent")
    event.text = payload.text(said, "last_assistant_message")
    return event


def _compaction(said: dict[str, object], name: str) -> Event:
    event = _event(said, name, "compaction")
    event.text = payload.text(said, "compact_summary")
    event.extra = {"trigger": payload.text(said, "trigger")}
    return event


def _end(said: dict[str, object], name: str) -> Event:
    event = _event(said, name, "session.end")
    event.extra = {"reason": payload.text(said, "reason")}
    return event


_READERS = {
    "SessionStart": _start,
    "UserPromptSubmit": _prompt,
    "PostToolUse": _tool,
    "PostToolUseFailure": _tool,
    "Stop": _reply,
    "StopFailure": _reply,
    "SubagentStop": _subagent,
    "PostCompact": _compaction,
    "SessionEnd": _end,
}
