"""A Codex rollout file: how its calls ended, and the calls that no hook reports."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from capture.config import HookConfig
from capture.event import FAILED, OK, Call, Event
from capture.observation import envelope as observe
from capture.observation import small
from capture.project import Project
from capture.regular import open_regular
from limbeck.unread import log_unread

MOST_BYTES = 256 * 1024 * 1024
MOST_LINE = 4 * 1024 * 1024
MOST_CALLS = 500
COMMANDS = ("CommandExecution", "exec_command_end")
PATCHES = ("FileChange", "patch_apply_end")
MCP = ("McpToolCall", "mcp_tool_call_end")

Table = dict[str, object]


@dataclass(slots=True)
class Unreported:
    """A call that ran no hook: an edit through the shell, a patch or MCP call that failed."""

    call: str
    turn: str | None
    tool: Call


@dataclass(slots=True)
class Told:
    """What a rollout tells: ``outcomes`` of shell calls, and calls that hooks may not have reported."""

    outcomes: list[Table] = field(default_factory=list)
    unreported: list[Unreported] = field(default_factory=list)


def read(path: Path, turn: str | None) -> Told:
    """Read the calls of one ``turn`` (None: of all turns); a file that is gone or broken tells nothing.

    Lines of another shape, and lines that are not whole yet, are passed over.
    """
    told = Told()
    seen: set[str] = set()
    for item, of_turn in _items(path):
        call = str(item.get("id") or item.get("call_id") or "")
        if not call or call in seen or (turn is not None and of_turn is not None and of_turn != turn):
            continue
        seen.add(call)
        kind = item.get("type")
        if kind in COMMANDS:
            told.outcomes.append(outcome_of(call, item))
        elif kind in PATCHES or (kind in MCP and _failed(item)):
            told.unreported.append(Unreported(call, of_turn, call_of(item)))
    return told


def envelope(unreported: Unreported, base: Table, config: HookConfig, ident: str) -> Table | None:
    """Return the envelope a hook would have made of the call; ``base`` is that of the turn it belongs to."""
    project = base.get("project")
    places = project if isinstance(project, dict) else {}
    where = Project(
        _text(places.get("root")),
        common=_text(places.get("common")),
        remote=_text(places.get("remote")),
        id=_text(places.get("id")),
    )
    subagent = base.get("subagent")
    event = Event(
        str(base.get("agent")),
        "rollout",
        "tool",
        session=_text(base.get("session")),
        turn=unreported.turn or _text(base.get("turn")),
        call=unreported.call,
        subagent=subagent if isinstance(subagent, dict) else None,
        cwd=_text(base.get("cwd")),
        tool=unreported.tool,
    )
    at = base.get("at")
    log_unread(where.root)
    policy = config.policy.joined(where.root)
    return observe(event, where, policy, config.limits, ident=ident, at=at if isinstance(at, int) else 0)


def _items(path: Path) -> Iterator[tuple[Table, str | None]]:
    """The finished items of a rollout with the turn each belongs to, in today's and in older form."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            left = MOST_BYTES
            while left > 0 and (line := file.readline(min(left, MOST_LINE))):
                left -= len(line)
                if b"event_msg" not in line[:200] or not line.endswith(b"\n"):
                    continue
                payload = _payload(line)
                item = payload.get("item") if payload.get("type") == "item_completed" else payload
                if isinstance(item, dict):
                    yield item, _text(payload.get("turn_id"))
    except OSError:
        return


def _payload(line: bytes) -> Table:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    payload = value.get("payload") if isinstance(value, dict) and value.get("type") == "event_msg" else None
    return payload if isinstance(payload, dict) else {}


def _failed(item: Table) -> bool:
    result = item.get("result")
    error = isinstance(result, dict) and ("Err" in result or result.get("isError") is True)
    return error or item.get("status") == "failed" or item.get("success") is False


def outcome_of(call: str, item: Table) -> Table:
    """How a finished shell command ended: ``call``, ``outcome`` and the ``exit`` code where it is told."""
    code = item.get("exit_code")
    made: Table = {"call": call[:200], "outcome": "unknown"}
    if isinstance(code, int) and not isinstance(code, bool):
        made["outcome"] = "failed" if code else "ok"
        if small(code) is not None:
            made["exit"] = code
    elif item.get("status") in ("failed", "declined"):
        made["outcome"] = "failed"
    return made


def call_of(item: Table) -> Call:
    """The call in a finished patch or MCP item."""
    outcome = FAILED if _failed(item) else OK
    if item.get("type") in PATCHES:
        changes = item.get("changes")
        files = [str(path) for path in changes] if isinstance(changes, dict) else []
        return Call("apply_patch", files=files, outcome=outcome)
    given = item.get("invocation")
    named = given if isinstance(given, dict) else item
    server, tool = _text(named.get("server")) or "", _text(named.get("tool")) or ""
    return Call(f"mcp__{server}__{tool}", server=server or None, outcome=outcome)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
