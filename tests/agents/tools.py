"""An MCP server on standard input and output with two tools: ``echo``, and ``fail`` that always fails."""

from __future__ import annotations

import json
import sys
from typing import Any

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}
TOOLS = [
    {"name": "echo", "description": "Say it again.", "inputSchema": SCHEMA},
    {"name": "fail", "description": "Fail.", "inputSchema": SCHEMA},
]


def result(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """Return a method's result, or None where there is no such method."""
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "notes", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        text = params.get("arguments", {}).get("text", "")
        failed = params.get("name") == "fail"
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return {} if method == "ping" else None


def main() -> None:
    """Answer until standard input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        found = result(request.get("method", ""), request.get("params") or {})
        answer |= (
            {"error": {"code": -32601, "message": "no such method"}} if found is None else {"result": found}
        )
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
