"""The OpenAPI 3.1 document, built from the declarations."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from server.operation import Operation
from server.rest.answers import STATUS
from server.rest.given import BODILESS

REFS = "#/components/schemas/{model}"
# What any operation may answer beside its success.
ALWAYS = ("invalid_request", "unauthorized", "forbidden", "wrong_host", "rate_limited", "unavailable")
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string"},
        "message": {"type": "string"},
        "details": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["message"],
                "properties": {"message": {"type": "string"}, "path": {"type": "string"}},
            },
        },
    },
}


def document(operations: Sequence[Operation[Any, Any]], version: str) -> dict[str, Any]:
    """Return the document for ``operations`` of a server of this ``version``."""
    taken: list[tuple[type[BaseModel], JsonSchemaMode]] = [(one.input, "validation") for one in operations]
    given: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        (one.output, "serialization") for one in operations
    ]
    models = sorted({*taken, *given}, key=lambda pair: (pair[0].__module__, pair[0].__qualname__, pair[1]))
    refs, definitions = models_json_schema(models, by_alias=True, ref_template=REFS)
    schemas = definitions.get("$defs", {})
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        wanted = _resolved(refs[operation.input, "validation"], schemas)
        described = _operation(operation, wanted, refs[operation.output, "serialization"])
        paths.setdefault(plain(operation.path), {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {"title": "Limbeck", "version": version or "0", "summary": "Memory for coding agents."},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas | {"Error": ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def plain(path: str) -> str:
    """Return a route's path without the kinds of its values: ``/v1/files/{path:path}`` has ``{path}``."""
    return re.sub(r"\{(\w+):\w+\}", r"{\1}", path)


def names_in(path: str) -> list[str]:
    """Return the names of the values in a route's path."""
    return re.findall(r"\{(\w+)(?::\w+)?\}", path)


def summary(operation: Operation[Any, Any]) -> str:
    """Return the purpose, and for a body its shape: the one hint an agent sees before it calls."""
    if operation.method in BODILESS:
        return operation.purpose
    schema = operation.input.model_json_schema(by_alias=True)
    return f"{operation.purpose} Body: {shape(schema, schema.get('$defs', {}), skip(operation))}"


def skip(operation: Operation[Any, Any]) -> set[str]:
    """Return the property names that stand in the path."""
    fields = operation.input.model_fields
    return {fields[name].alias or name for name in names_in(operation.path)}


def shape(schema: dict[str, Any], definitions: dict[str, Any], without: Set[str] = frozenset()) -> str:
    """Return a JSON schema in one line: ``{content: string, tags?: [string]}``."""
    if "$ref" in schema:
        return shape(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "enum" in schema:
        return "|".join(f'"{value}"' for value in schema["enum"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "anyOf" in schema:
        parts = [shape(part, definitions) for part in schema["anyOf"] if part.get("type") != "null"]
        return " or ".join(dict.fromkeys(parts))
    if schema.get("type") == "array":
        return f"[{shape(schema.get('items', {}), definitions)}]"
    if "properties" in schema:
        required = schema.get("required", ())
        inner = [
            f"{name}{'' if name in required else '?'}: {shape(value, definitions)}"
            for name, value in schema["properties"].items()
            if name not in without
        ]
        return f"{{{', '.join(inner)}}}"
    return str(schema.get("type", "any"))


def _operation(
    operation: Operation[Any, Any], wanted: dict[str, Any], output: dict[str, Any]
) -> dict[str, Any]:
    in_path = {operation.input.model_fields[name].alias or name: name for name in names_in(operation.path)}
    properties, required = wanted.get("properties", {}), wanted.get("required", ())
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": properties[alias]}
        for alias, name in in_path.items()
    ]
    described: dict[str, Any] = {
        "operationId": operation.operation_id,
        "tags": [operation.tag],
        "summary": summary(operation),
        "description": f"Needs the right to {operation.right}.",
        "x-right": str(operation.right),
        "responses": _responses(operation, output),
    }
    rest = {name: schema for name, schema in properties.items() if name not in in_path}
    if operation.method in BODILESS:
        parameters += [
            {"name": name, "in": "query", "required": name in required, "schema": schema}
            for name, schema in rest.items()
        ]
    else:
        body = {"type": "object", "properties": rest, "required": [name for name in required if name in rest]}
        body |= {key: held for key, held in wanted.items() if key == "additionalProperties"}
        described["requestBody"] = {
            "required": bool(body["required"]),
            "content": {"application/json": {"schema": body}},
        }
    if parameters:
        described["parameters"] = parameters
    return described


def _responses(operation: Operation[Any, Any], output: dict[str, Any]) -> dict[str, Any]:
    success: dict[str, Any] = {"description": HTTPStatus(operation.status).phrase}
    if operation.status != 204:
        success["content"] = {"application/json": {"schema": output}}
    codes = {STATUS[code] for code in ALWAYS} | {404}
    if operation.method not in BODILESS:
        codes |= {409, 413, 415}
    error = {"application/json": {"schema": {"$ref": REFS.format(model="Error")}}}
    answers = {str(operation.status): success}
    for code in sorted(codes):
        answers[str(code)] = {"description": HTTPStatus(code).phrase, "content": error}
    return answers


def _resolved(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    ref = schema.get("$ref")
    return definitions[ref.rpartition("/")[2]] if ref else schema
