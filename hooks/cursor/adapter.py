"""Cursor: its hook payloads in the normal form. A session is a conversation, a turn a generation."""

from __future__ import annotations

from capture.event import FAILED, OK, Call, Event
from capture.jsonio import parse
from hooks import payload
from hooks.machine import machine

AGENT = "cursor"
LONGEST_ANSWER = 1_000_000


def wants_input(_arguments: list[str]) -> bool:
    """Every event comes as JSON on standard input."""
    return True


def read(_arguments: list[str], raw: bytes) -> list[Event]:
    """Return the events in one payload: one, or none where it is not worth keeping."""
    said = payload.decode(raw)
    name = payload.text(said, "hook_event_name") or ""
    event = Event(
        AGENT,
        name,
        "",
        session=payload.text(said, "conversation_id", "session_id"),
        turn=payload.text(said, "generation_id"),
        cwd=_cwd(said),
    )
    if name == "sessionStart":
        event.kind, event.extra = "session.start", {"model": payload.text(said, "model")}
    elif name == "beforeSubmitPrompt" and payload.text(said, "prompt"):
        event.kind, event.text = "prompt", payload.text(said, "prompt")
        event.extra = {"machine": machine(event.text or "")}
    elif name in ("postToolUse", "postToolUseFailure") and payload.text(said, "tool_name"):
        event.kind, event.tool = "tool", _tool(said, name)
        event.call = payload.text(said, "tool_use_id")
    elif name == "afterAgentResponse":
        event.kind, event.text, event.extra = "reply", payload.text(said, "text"), {"reason": "stop"}
    elif name == "stop" and said.get("status") in ("aborted", "error"):
        event.kind = "reply"  # a completed turn has told its answer already
        event.extra = {"reason": "interrupt" if said["status"] == "aborted" else "failure"}
    elif name == "subagentStop":
        event.kind, event.text = "subagent", payload.text(said, "summary")
        event.subagent = {
            "id": payload.text(said, "subagent_id") or "",
            "type": payload.text(said, "subagent_type") or "",
        }
    elif name == "sessionEnd":
        event.kind, event.extra = "session.end", {"reason": payload.text(said, "reason")}
    return [event] if event.kind else []


def _cwd(said: dict[str, object]) -> str | None:
    roots = said.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else None
    return payload.text(said, "cwd") or first


def _tool(said: dict[str, object], name: str) -> Call:
    given = payload.table(said, "tool_input")
    tool = payload.text(said, "tool_name") or ""
    code = payload.number(_answer(said), "exitCode")
    failed = name == "postToolUseFailure" or code not in (None, 0)
    return Call(
        tool,
        command=payload.command(given.get("command")),
        path=payload.text(given, "file_path", "path", "target_file"),
        outcome=FAILED if failed else OK,
        exit=code,
        ms=payload.number(said, "duration"),
        server="mcp" if tool.startswith("MCP:") else None,
    )


def _answer(said: dict[str, object]) -> dict[str, object]:
    """The tool's answer, which comes as JSON in a string."""
    written = payload.text(said, "tool_output") or ""
    if not written.startswith("{") or len(written) > LONGEST_ANSWER:
        return {}
    try:
        value = parse(written)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
