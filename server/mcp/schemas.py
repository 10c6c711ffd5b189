"""Schemas as tools show them: every byte is read by a model at the start of each session, so nothing is said twice."""

from __future__ import annotations

from typing import Any

NULL = {"type": "null"}


def slim(schema: dict[str, Any], *, words: bool = True) -> dict[str, Any]:
    """Return ``schema`` without made-up titles, and without saying of an optional value that it may be null.

    What it accepts is the same but for a null given outright. What an object is for is said by the tool, and by the
    field that holds it. Without ``words`` all descriptions go.
    """
    made: dict[str, Any] = {}
    for key, value in schema.items():
        said = key == "description" and (not words or "properties" in schema)
        if key == "title" or said or (key == "default" and value is None):
            continue
        if key in ("properties", "$defs"):
            made[key] = {name: slim(inner, words=words) for name, inner in value.items()}
        elif key == "anyOf":
            made |= _any(value, words)
        elif isinstance(value, dict) and key in ("items", "additionalProperties"):
            made[key] = slim(value, words=words)
        else:
            made[key] = value
    return made


def _any(choices: list[dict[str, Any]], words: bool) -> dict[str, Any]:
    left = [slim(one, words=words) for one in choices if not words or one != NULL]
    return left[0] if len(left) == 1 else {"anyOf": left}
