"""An operation as a tool: the same name, words, bounds and answers as everywhere else."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel

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
    """Return what an operation came to, as data and in text: as the answer tells itself, else the same data."""
    data = result.model_dump(mode="json", by_alias=True)
    told = result.told() if isinstance(result, Output) else None
    return CallToolResult(
        content=[_text(data) if told is None else TextContent(text=told)], structured_content=_clean(data)
    )


def refused(error: ServerError, operation: Operation[Any, Any] | None = None) -> CallToolResult:
    """Return an error of the tool: the sentence for the model to read, then what REST would have answered."""
    body = body_of(error, operation)
    sentence = body.get("message") or "; ".join(_told(one) for one in body.get("details", ())) or str(error)
    return CallToolResult(
        content=[TextContent(text=f"{body['error']}: {sentence}")], structured_content=body, is_error=True
    )


def _told(detail: dict[str, str]) -> str:
    return f"{detail['path']}: {detail['message']}" if "path" in detail else detail["message"]


def _text(data: Any) -> TextContent:
    return TextContent(
        text=json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()
    )


def _clean(data: Any) -> Any:
    return json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))
