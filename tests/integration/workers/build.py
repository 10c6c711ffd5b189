"""Envelopes for the tests of the worker."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from capture.envelope import encode
from capture.ids import new_id

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
PROJECT = {"common": "/home/u/shop/.git", "root": "/home/u/shop", "remote": "git.example/team/shop"}


def envelope(kind: str, second: float = 0, **fields: Any) -> dict[str, Any]:
    """An envelope ``second`` seconds after START; ``fields`` replace or add keys (None removes)."""
    at = START + timedelta(seconds=second)
    made: dict[str, Any] = {
        "v": 1,
        "id": new_id(),
        "at": int(at.timestamp() * 1000),
        "agent": "claude",
        "origin": "hook",
        "hv": "0.1.0",
        "kind": kind,
        "event": kind,
        "session": "s-1",
        "cwd": "/home/u/shop",
        "project": PROJECT,
        "body": {},
    }
    made.update(fields)
    return {key: value for key, value in made.items() if value is not None}


def tool(second: float = 0, call: str | None = None, **fields: Any) -> dict[str, Any]:
    """A tool call; keyword arguments named like body fields go into the body."""
    body = {"tool": "Bash", "shape": "pytest -q", "outcome": "ok"}
    for name in ("tool", "shape", "target", "outcome", "exit", "files"):
        if name in fields:
            body[name] = fields.pop(name)
    return envelope("tool", second, call=call or f"call-{new_id()}", body=body, **fields)


def prompt(text: str, second: float = 0, **fields: Any) -> dict[str, Any]:
    """A person's prompt."""
    return envelope("prompt", second, body={"text": text, "chars": len(text)}, **fields)


def encoded(*envelopes: dict[str, Any]) -> list[bytes]:
    """The bytes that the stream holds."""
    return [encode(one) for one in envelopes]
