"""What a request gives to an operation: its body or its query, and the values in its path."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from anyio import to_thread
from starlette.requests import Request

from server.errors import InvalidInput, NotJson
from server.operation import Operation
from server.unknown import shown
from server.values import MOST_WRONG

BODILESS = ("GET", "DELETE", "HEAD")
BESIDE = "It stands in the address; here every value belongs in the JSON body."
LARGE = 64 * 1024  # bytes; a longer body would keep every other request waiting while it is read


async def given(request: Request, operation: Operation[Any, Any]) -> dict[str, Any]:
    """Return the values a request gives. Raises InvalidInput, NotJson, TooLarge."""
    if operation.method in BODILESS:
        values = from_query(request, operation)
    else:
        if wrong := [(shown(name), BESIDE) for name in request.query_params]:
            raise InvalidInput(wrong[:MOST_WRONG])
        raw = await request.body()
        if (
            raw
            and request.headers.get("content-type", "").partition(";")[0].strip().lower()
            != "application/json"
        ):
            raise NotJson
        if len(raw) > LARGE:
            values = await to_thread.run_sync(from_body, raw)
        else:
            values = from_body(raw) if raw else {}
    for name, value in request.path_params.items():
        # A name in the path is the only way to say it: the body cannot say another one.
        alias = operation.input.model_fields[name].alias or name
        values.pop(alias, None)
        values[name] = value
    return values


def from_body(raw: bytes) -> dict[str, Any]:
    """Return the JSON object in ``raw``. Raises InvalidInput."""
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise InvalidInput([("", "The body is not UTF-8.")]) from None
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InvalidInput([("", f"The body is not JSON: {why}.")]) from None
    if not isinstance(value, dict):
        raise InvalidInput([("", "The body must be a JSON object.")])
    return value


def from_query(request: Request, operation: Operation[Any, Any]) -> dict[str, Any]:
    """Return the values of the query; a field that holds several takes every one of its name."""
    several = _several(operation)
    query = request.query_params
    return {
        name: query.getlist(name) if name in several else _single(query.getlist(name), name) for name in query
    }


@cache
def _several(operation: Operation[Any, Any]) -> frozenset[str]:
    return frozenset(lists(operation.input.model_json_schema(by_alias=True)["properties"]))


def lists(properties: Mapping[str, Any]) -> set[str]:
    """Return the names of the properties that hold several values."""
    return {
        name
        for name, schema in properties.items()
        if any(part.get("type") == "array" for part in [schema, *schema.get("anyOf", ())])
    }


def _single(values: list[str], name: str) -> str:
    if len(values) > 1:
        raise InvalidInput([(name, "It is given more than once.")])
    return values[0]


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no JSON number")
