"""An operation as a tool: the same name, words, bounds and answers as everywhere else."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel

from recall.fence import block, harmless
from server.body import body_of
from server.errors import ServerError
from server.mcp.schemas import slim
from server.operation import Operation, Output


def tool_of(operation: Operation[Any, Any]) -> Tool:
    """Return the tool that calls ``operation``."""
    return annotated(
        operation.name,
        operation.purpose,
        operation.input,
        operation.output,
        reads=operation.reads,
        destroys=operation.destroys,
    )


def annotated(
    name: str,
    purpose: str,
    takes: type[BaseModel],
    gives: type[BaseModel] | None,
    *,
    reads: bool = True,
    destroys: bool = False,
) -> Tool:
    """Return a tool with these models' schemas; ``gives`` is None where the answer has no one shape."""
    return Tool(
        name=name,
        description=purpose,
        input_schema=slim(takes.model_json_schema(by_alias=True)),
        output_schema=None if gives is None else _shape(gives),
        annotations=ToolAnnotations(read_only_hint=reads, destructive_hint=destroys, open_world_hint=False),
    )


def _shape(gives: type[BaseModel]) -> dict[str, Any]:
    return slim(gives.model_json_schema(by_alias=True, mode="serialization"), words=False)


def answered(result: BaseModel) -> CallToolResult:
    """Return what an operation came to, as data and in text: as the answer tells itself, else the same data in a fence.

    Whatever an answer holds may be stored words, so no string in it can be taken for the edge of a fence.
    """
    data, plain = _clean(_harmless(result.model_dump(mode="json", by_alias=True)))
    told = result.told() if isinstance(result, Output) else None
    if told is None:
        told = block([plain]) if data else plain
    return CallToolResult(content=[TextContent(text=told)], structured_content=data)


def refused(error: ServerError, operation: Operation[Any, Any] | None = None) -> CallToolResult:
    """Return an error of the tool: the sentence for the model to read, then what REST would have answered."""
    body = body_of(error, operation)
    sentence = body.get("message") or "; ".join(_told(one) for one in body.get("details", ())) or str(error)
    return CallToolResult(
        content=[TextContent(text=f"{body['error']}: {sentence}")], structured_content=body, is_error=True
    )


def _told(detail: dict[str, str]) -> str:
    return f"{detail['path']}: {detail['message']}" if "path" in detail else detail["message"]


def _harmless(data: Any, top: bool = True) -> Any:
    if isinstance(data, str):
        return harmless(data)
    if isinstance(data, list):
        return [_harmless(one, False) for one in data]
    if isinstance(data, dict):
        # The answer's own fence is to be one.
        return {
            harmless(name): held if top and name == "fenced" else _harmless(held, False)
            for name, held in data.items()
        }
    return data


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _clean(data: Any) -> tuple[Any, str]:
    """``data`` and its JSON; what cannot be encoded (half a surrogate pair) is a question mark in both."""
    told = _json(data)
    try:
        told.encode()
    except UnicodeEncodeError:
        told = told.encode("utf-8", "replace").decode()
        return json.loads(told), told
    return data, told
