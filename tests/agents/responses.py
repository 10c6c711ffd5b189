"""The Responses API, as far as Codex needs it."""

from __future__ import annotations

import json
from typing import Any, ClassVar
from uuid import uuid4

from tests.agents.model import Handler
from tests.agents.script import Call, Said, answer

CALLS = {"function_call", "custom_tool_call", "local_shell_call"}
USAGE = {
    "input_tokens": 10,
    "input_tokens_details": None,
    "output_tokens": 5,
    "output_tokens_details": None,
    "total_tokens": 15,
}


class Responses(Handler):
    """``POST /v1/responses``, always streamed."""

    empty: ClassVar[dict[str, Any]] = {"models": [], "data": []}

    def reply(self, request: dict[str, Any]) -> None:
        """Play the next turn of the script."""
        turn, text = answer(self.server.script, conversation(request.get("input", [])))
        self.server.note(request)
        items = [item(call) for call in turn] or [message(text)]
        name = f"resp_{uuid4().hex[:12]}"
        self.send_events(
            [
                {"type": "response.created", "response": {"id": name}},
                *({"type": "response.output_item.done", "item": one} for one in items),
                {"type": "response.completed", "response": {"id": name, "usage": USAGE}},
            ]
        )


def conversation(items: list[dict[str, Any]]) -> list[Said]:
    """The request's items in the script's terms; calls made together are one turn."""
    found: list[Said] = []
    calling = False
    for one in items:
        if one.get("type") in CALLS:
            if not calling:
                found.append(Said(calls=1))
            calling = True
            continue
        if str(one.get("type", "")).endswith("_output"):
            calling = False
            continue
        calling = False
        if one.get("role") == "user":
            parts = one.get("content") or []
            words = (
                parts if isinstance(parts, str) else "\n".join(str(part.get("text", "")) for part in parts)
            )
            found.append(Said(text=words))
    return found


def item(call: Call) -> dict[str, Any]:
    """A call as an output item."""
    name = {"call_id": f"call_{uuid4().hex[:12]}", "name": call.name}
    if call.text is not None:
        return {"type": "custom_tool_call", "id": f"ctc_{uuid4().hex[:10]}", **name, "input": call.text}
    made = {"type": "function_call", "id": f"fc_{uuid4().hex[:10]}", **name}
    made["arguments"] = json.dumps(dict(call.arguments))
    return made | ({"namespace": call.namespace} if call.namespace else {})


def message(text: str) -> dict[str, Any]:
    """A final answer."""
    content = [{"type": "output_text", "text": text}]
    return {"type": "message", "role": "assistant", "id": f"msg_{uuid4().hex[:10]}", "content": content}
