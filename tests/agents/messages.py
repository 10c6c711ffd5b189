"""The Messages API, as far as Claude Code needs it."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

from tests.agents.model import Handler
from tests.agents.script import Call, Said, answer

USAGE = {
    "input_tokens": 10,
    "output_tokens": 5,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
}


class Messages(Handler):
    """``POST /v1/messages``, streamed or not; every other path counts tokens."""

    def reply(self, request: dict[str, Any]) -> None:
        """Play the next turn of the script; a request without tools wants a title."""
        if not self.path.partition("?")[0].endswith("/v1/messages"):
            self.send_json({"input_tokens": 10})
            return
        turn, text = answer(self.server.script, [said(message) for message in request.get("messages", [])])
        if not request.get("tools"):
            turn, text = (), "A title"
        self.server.note(request)
        answers = "\n".join(answered(request))
        content = [tool_use(call, answers) for call in turn] or [{"type": "text", "text": text}]
        message = {
            "id": f"msg_{uuid4().hex[:20]}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model"),
            "content": content,
            "stop_reason": "tool_use" if turn else "end_turn",
            "stop_sequence": None,
            "usage": USAGE,
        }
        if request.get("stream"):
            self.send_events(streamed(message))
        else:
            self.send_json(message)


def said(message: dict[str, Any]) -> Said:
    """One message of the request in the script's terms; tool results are nobody's words."""
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    if message.get("role") == "assistant":
        return Said(calls=sum(block.get("type") == "tool_use" for block in blocks))
    if message.get("role") != "user":
        return Said()  # what a hook injected
    return Said(text="\n".join(block["text"] for block in blocks if block.get("type") == "text"))


def answered(request: dict[str, Any]) -> list[str]:
    """What each tool answered so far, in order."""
    blocks = [
        block
        for message in request.get("messages", [])
        for block in (message["content"] if isinstance(message["content"], list) else [])
        if block.get("type") == "tool_result"
    ]
    return [_text(block.get("content")) for block in blocks]


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content or [])


def tool_use(call: Call, answers: str = "") -> dict[str, Any]:
    """A call as a content block."""
    return {
        "type": "tool_use",
        "id": f"toolu_{uuid4().hex[:20]}",
        "name": call.name,
        "input": call.given(answers),
    }


def streamed(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The events that build ``message`` up."""
    start = message | {"content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(message["content"]):
        empty = block | ({"text": ""} if block["type"] == "text" else {"input": {}})
        if block["type"] == "text":
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": delta, "usage": USAGE}, {"type": "message_stop"}]
