"""Gemini CLI: its hook payloads in the normal form. It names neither turns nor calls."""

from __future__ import annotations

from capture.event import FAILED, OK, Call, Event
from hooks import payload
from hooks.machine import machine

AGENT = "gemini"
TAIL = 4000
CONTEXT, CONTEXT_END = "<hook_context>", "</hook_context>"


def wants_input(_arguments: list[str]) -> bool:
    """Every event comes as JSON on standard input."""
    return True


def read(_arguments: list[str], raw: bytes) -> list[Event]:
    """Return the events in one payload: one, or none where it is not worth keeping."""
    said = payload.decode(raw)
    name = payload.text(said, "hook_event_name") or ""
    event = Event(AGENT, name, "", session=payload.text(said, "session_id"), cwd=payload.text(said, "cwd"))
    if name == "SessionStart":
        event.kind, event.extra = "session.start", {"source": payload.text(said, "source")}
    elif name == "BeforeAgent" and _asked(said):
        event.kind, event.text = "prompt", _asked(said)
        event.extra = {"machine": machine(event.text or "")}
    elif name == "AfterTool" and payload.text(said, "tool_name"):
        event.kind, event.tool = "tool", _tool(said)
    elif name == "AfterAgent":
        event.kind, event.text = "reply", payload.text(said, "prompt_response")
        event.extra = {"reason": "stop"}
    elif name == "SessionEnd":
        event.kind, event.extra = "session.end", {"reason": payload.text(said, "reason")}
    return [event] if event.kind else []


def _asked(said: dict[str, object]) -> str:
    """The person's words: without a terminal, what hooks said at the session's start stands before them."""
    prompt = payload.text(said, "prompt") or ""
    while prompt.startswith(CONTEXT) and CONTEXT_END in prompt:
        prompt = prompt.partition(CONTEXT_END)[2].lstrip()
    return prompt


def _tool(said: dict[str, object]) -> Call:
    given, answer = payload.table(said, "tool_input"), payload.table(said, "tool_response")
    failed, code = bool(answer.get("error")), None
    tool = payload.text(said, "tool_name") or ""
    if tool == "run_shell_command":
        code = payload.exit_code((payload.text(answer, "llmContent") or "")[-TAIL:], "Exit Code: ")
        failed = failed or code not in (None, 0)
    return Call(
        tool,
        command=payload.command(given.get("command")),
        path=payload.text(given, "file_path", "absolute_path", "path", "dir_path"),
        outcome=FAILED if failed else OK,
        exit=code,
        server=payload.text(payload.table(said, "mcp_context"), "server_name"),
    )
