"""A Claude Code transcript: each record said as the hook would have said it, so that one reader serves both."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hooks.claude.adapter import read as read_payload
from limbeck.importing.recorded import BrokenLine, Recorded, milliseconds

Payload = dict[str, Any]


def is_record(value: Payload) -> bool:
    """Whether a line looks like one of this format."""
    return "sessionId" in value and "type" in value


def read(lines: Iterable[bytes], subagent_type: str = "") -> Iterator[Recorded | BrokenLine]:
    """Return the events of a transcript in order. ``subagent_type`` names whose it is, where it is a subagent's.

    Records of unknown types, copies of requests and lines without an id of their own are passed over.
    """
    reader = _Reader(subagent_type)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            yield BrokenLine(number)
            continue
        if isinstance(value, dict) and isinstance(value.get("uuid"), str):
            yield from reader.take(value)
    yield from reader.finish()


@dataclass(slots=True)
class _Reader:
    subagent_type: str
    calls: dict[str, Payload] = field(default_factory=dict)
    turn: str | None = None
    reply: tuple[str, Payload] | None = None
    last: Payload | None = None

    def take(self, record: Payload) -> Iterator[Recorded]:
        """One record; a prompt ends the turn before it."""
        if milliseconds(record.get("timestamp")) is None or record.get("isMeta"):
            return
        self.last = record
        message = record.get("message")
        if not isinstance(message, dict):
            return
        if record.get("type") == "user":
            yield from self._user(record, message)
        elif record.get("type") == "assistant":
            self._assistant(record, message)

    def finish(self) -> Iterator[Recorded]:
        """The reply that no later prompt ended."""
        yield from self._end_turn()

    def _user(self, record: Payload, message: Payload) -> Iterator[Recorded]:
        content = message.get("content")
        blocks = content if isinstance(content, list) else []
        for block in blocks:
            if isinstance(block, dict) and block.get("type") == "tool_result":
                yield from self._result(record, block)
        said = content if isinstance(content, str) else _text(blocks)
        if not said:
            return
        if record.get("isCompactSummary"):
            yield from _told(
                record, {"hook_event_name": "PostCompact", "compact_summary": said, "trigger": "import"}
            )
            return
        yield from self._end_turn()
        self.turn = _string(record.get("promptId")) or _string(record.get("uuid"))
        if not record.get("agentId"):
            prompt = {"hook_event_name": "UserPromptSubmit", "prompt": said, "prompt_id": self.turn}
            source = record.get("promptSource")
            yield from _told(record, prompt | ({"source": source} if isinstance(source, str) else {}))

    def _assistant(self, record: Payload, message: Payload) -> None:
        blocks = message.get("content")
        for block in blocks if isinstance(blocks, list) else []:
            if (
                isinstance(block, dict)
                and block.get("type") == "tool_use"
                and isinstance(block.get("id"), str)
            ):
                self.calls[block["id"]] = block
        said = _text(blocks if isinstance(blocks, list) else [])
        if said:
            self.reply = (said, record)

    def _result(self, record: Payload, block: Payload) -> Iterator[Recorded]:
        call = self.calls.pop(str(block.get("tool_use_id")), None)
        if call is None:
            return
        answer = record.get("toolUseResult")
        failed = block.get("is_error") is True
        payload: Payload = {
            "hook_event_name": "PostToolUseFailure" if failed else "PostToolUse",
            "tool_name": call.get("name"),
            "tool_input": call.get("input"),
            "tool_use_id": call["id"],
            "prompt_id": self.turn,
        }
        if failed:
            content = block.get("content")
            payload["error"] = (
                content if isinstance(content, str) else _text(content if isinstance(content, list) else [])
            )
        else:
            payload["tool_response"] = answer
        yield from _told(record, payload | self._subagent(record), call["id"])

    def _end_turn(self) -> Iterator[Recorded]:
        if self.reply is None:
            return
        said, record = self.reply
        self.reply = None
        payload: Payload = {"last_assistant_message": said, "prompt_id": self.turn}
        subagent = self._subagent(record)
        payload["hook_event_name"] = "SubagentStop" if subagent else "Stop"
        yield from _told(record, payload | subagent)

    def _subagent(self, record: Payload) -> Payload:
        agent = _string(record.get("agentId"))
        return {"agent_id": agent, "agent_type": self.subagent_type or "subagent"} if agent else {}


def _told(record: Payload, payload: Payload, seed: str | None = None) -> Iterator[Recorded]:
    at = milliseconds(record["timestamp"])
    whole = {"session_id": record.get("sessionId"), "cwd": record.get("cwd")} | payload
    name = payload["hook_event_name"]
    for event in read_payload([], json.dumps(whole).encode()):
        yield Recorded(event, at or 0, f"claude {record.get('sessionId')} {name} {seed or record['uuid']}")


def _text(blocks: list[Any]) -> str:
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
