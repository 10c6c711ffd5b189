"""A Codex rollout: prompts, replies and finished items, in today's form and in the older one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from capture.event import Call, Event
from hooks.codex.adapter import AGENT
from hooks.machine import machine
from limbeck.importing.recorded import BrokenLine, Recorded, milliseconds
from limbeck.ship.rollouts import COMMANDS, MCP, PATCHES, call_of, outcome_of

Payload = dict[str, Any]
PROMPTS = ("UserMessage", "user_message")
REPLIES = ("AgentMessage", "agent_message")


def is_record(value: Payload) -> bool:
    """Whether a line looks like one of this format."""
    return "payload" in value and "type" in value


def read(lines: Iterable[bytes], _subagent_type: str = "") -> Iterator[Recorded | BrokenLine]:
    """Return the events of a rollout in order; lines of other kinds are passed over."""
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            yield BrokenLine(number)
            continue
        payload = value.get("payload") if isinstance(value, dict) else None
        at = milliseconds(value.get("timestamp")) if isinstance(value, dict) else None
        if isinstance(payload, dict) and at is not None:
            yield from reader.take(str(value.get("type")), payload, at, number)
    yield from reader.finish()


@dataclass(slots=True)
class _Reader:
    session: str | None = None
    subagent: dict[str, str] | None = None
    cwd: str | None = None
    turn: str | None = None
    reply: tuple[str, int, int] | None = None

    def take(self, kind: str, payload: Payload, at: int, number: int) -> Iterator[Recorded]:
        """One line."""
        if kind == "session_meta":
            self._meta(payload)
        elif kind == "turn_context":
            self.turn = _string(payload.get("turn_id")) or self.turn
            self.cwd = _string(payload.get("cwd")) or self.cwd
        elif kind == "compacted" and _string(payload.get("message")):
            yield self._event("PostCompact", "compaction", at, number, text=payload["message"])
        elif kind == "event_msg":
            item = payload.get("item") if payload.get("type") == "item_completed" else payload
            self.turn = _string(payload.get("turn_id")) or self.turn
            if isinstance(item, dict):
                yield from self._item(item, at, number)

    def finish(self) -> Iterator[Recorded]:
        """The reply that no later prompt ended."""
        if self.reply is not None:
            said, at, number = self.reply
            self.reply = None
            if self.subagent:
                yield self._event("SubagentStop", "subagent", at, number, text=said)
            else:
                yield self._event("Stop", "reply", at, number, text=said, extra={"reason": "stop"})

    def _meta(self, payload: Payload) -> None:
        parent = _string(payload.get("parent_thread_id"))
        own = _string(payload.get("id"))
        self.session = parent or _string(payload.get("session_id")) or own
        if parent and own:
            self.subagent = {"id": own, "type": "default"}
        self.cwd = _string(payload.get("cwd"))

    def _item(self, item: Payload, at: int, number: int) -> Iterator[Recorded]:
        kind = item.get("type")
        if kind in PROMPTS:
            yield from self.finish()
            said = _said(item)
            if said and not self.subagent:
                extra: dict[str, object] = {"machine": machine(said)}
                yield self._event("UserPromptSubmit", "prompt", at, number, text=said, extra=extra)
        elif kind in REPLIES:
            said = _said(item)
            self.reply = (said, at, number) if said else self.reply
        elif kind in COMMANDS or kind in PATCHES or kind in MCP:
            call = _string(item.get("id")) or _string(item.get("call_id"))
            tool = _tool(kind, item)
            cwd = _folder(item.get("cwd")) or self.cwd
            yield self._event("PostToolUse", "tool", at, number, call=call, tool=tool, cwd=cwd)

    def _event(self, name: str, kind: str, at: int, number: int, **parts: Any) -> Recorded:
        parts = {"cwd": self.cwd} | parts
        event = Event(
            AGENT, name, kind, session=self.session, turn=self.turn, subagent=self.subagent, **parts
        )
        return Recorded(event, at, f"codex {self.session} {name} {parts.get('call') or f'{at} {number}'}")


def _tool(kind: object, item: Payload) -> Call:
    if kind not in COMMANDS:
        return call_of(item)
    command = item.get("command")
    words = [word for word in command if isinstance(word, str)] if isinstance(command, list) else []
    line = words[-1] if len(words) == 3 and words[1] in ("-c", "-lc") else " ".join(words)
    told = outcome_of("", item)
    code = told.get("exit")
    return Call(
        "Bash",
        command=line or (command if isinstance(command, str) else None),
        outcome=str(told["outcome"]),
        exit=code if isinstance(code, int) else None,
        ms=_milliseconds(item.get("duration")),
    )


def _milliseconds(duration: object) -> int | None:
    if not isinstance(duration, dict):
        return None
    secs, nanos = duration.get("secs"), duration.get("nanos")
    return secs * 1000 + nanos // 1_000_000 if isinstance(secs, int) and isinstance(nanos, int) else None


def _said(item: Payload) -> str:
    if isinstance(item.get("message"), str):
        return str(item["message"])
    content = item.get("content")
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return "\n".join(text for text in texts if isinstance(text, str)) or str(item.get("text") or "")


def _folder(value: object) -> str | None:
    if not isinstance(value, str) or not value:
        return None
    return unquote(urlsplit(value).path) if value.startswith("file://") else value


def _string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
