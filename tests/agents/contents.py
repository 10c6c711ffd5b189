"""The Gemini API, as far as Gemini CLI needs it."""

from __future__ import annotations

import json
from typing import Any

from tests.agents.model import Handler
from tests.agents.script import Call, Said, answer

USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
# What the CLI asks beside the conversation: which model to take, and who speaks next.
ASIDE = {"reasoning": "-", "model_choice": "flash", "complexity_reasoning": "-", "complexity_score": 1}
ASIDE |= {"next_speaker": "user"}


class Contents(Handler):
    """``generateContent``, streamed or not; ``countTokens`` beside it."""

    def reply(self, request: dict[str, Any]) -> None:
        """Play the next turn of the script; a request without tools is one the CLI makes for itself."""
        if "countTokens" in self.path:
            self.send_json({"totalTokens": 10})
            return
        turn, text = answer(self.server.script, conversation(request.get("contents", [])))
        self.server.note(request)
        if not request.get("tools"):
            turn, text = (), json.dumps(ASIDE)
        parts = [{"functionCall": function(call)} for call in turn] or [{"text": text}]
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        reply = {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": "scripted"}
        if "alt=sse" in self.path:
            self.send_events([reply])
        else:
            self.send_json(reply)


def conversation(contents: list[dict[str, Any]]) -> list[Said]:
    """The request's contents in the script's terms; what a tool answered is nobody's words."""
    found = []
    for one in contents:
        parts = one.get("parts") or []
        calls = sum("functionCall" in part for part in parts)
        words = "\n".join(str(part.get("text", "")) for part in parts) if one.get("role") == "user" else ""
        found.append(Said(text=words, calls=calls))
    return found


def answered(request: dict[str, Any]) -> list[str]:
    """What each tool answered so far, in order, as JSON."""
    parts = [part for one in request.get("contents", []) for part in one.get("parts") or []]
    return [json.dumps(part["functionResponse"]) for part in parts if "functionResponse" in part]


def function(call: Call) -> dict[str, Any]:
    """A call as the API writes it."""
    return {"name": call.name, "args": dict(call.arguments)}
