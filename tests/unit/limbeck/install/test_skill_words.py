"""Every name in a skill that an agent could give to a tool: a tool that is listed, a field it has, a value it takes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from backlog.references import delivered
from limbeck.install.plugin import skills
from server.mcp.core import CORE
from server.mcp.endpoint import PAIR
from server.memory.scopes import shaped
from server.operations import ALL

OPERATIONS = {operation.name: operation for operation in ALL}
LISTED = CORE | set(PAIR)
# Words in backticks that are no one's field or value, and what they are checked by.
SAID = {
    "recall": {"stale": "freshness", "known from": "standing"},
    "remember": {},
    "solve": {},
}


def passages(text: str) -> Iterator[list[str]]:
    """The words in backticks of each paragraph, with the items of its list."""
    for block in re.split(r"\n\s*\n(?!\s+- )|\n(?=#)|\n(?=\d\. |- )", text.split("\n---\n", 1)[1]):
        words = re.findall(r"`([^`]+)`", block)
        if words:
            yield words


PASSAGES = [(name, words) for name, text in sorted(skills().items()) for words in passages(text)]


def schemas(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schemas of what a listed tool takes and answers, as an agent sees them."""
    if name in PAIR:
        return PAIR[name].input_schema, PAIR[name].output_schema or {}
    operation = OPERATIONS[name]
    return (
        operation.input.model_json_schema(by_alias=True),
        operation.output.model_json_schema(by_alias=True, mode="serialization"),
    )


def fields(schema: object) -> Iterator[str]:
    """Every property's name in a schema, however deep."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for inner in schema.values():
            yield from fields(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from fields(inner)


def choices(schema: object) -> Iterator[str]:
    """Every word that a schema lists as a possible value."""
    if isinstance(schema, dict):
        yield from (value for value in schema.get("enum", ()) if isinstance(value, str))
        for inner in schema.values():
            yield from choices(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from choices(inner)


def holds(word: str, tools: list[str]) -> bool:
    """Whether one of ``tools`` has a field of this name, or takes this value, or this ``field: value``."""
    field, colon, value = word.partition(": ")
    for takes, answers in map(schemas, tools):
        if colon:
            given = takes.get("properties", {}).get(field)
            if given is not None:
                jsonschema.validate(json.loads(value), {"$defs": takes.get("$defs", {}), **given})
                return True
        elif word in {*fields(takes), *fields(answers), *choices(takes)}:
            return True
    return False


def is_a_scope(word: str) -> bool:
    try:
        return bool(shaped(word))
    except ValueError:
        return False


@pytest.mark.parametrize(("name", "words"), PASSAGES, ids=[" ".join(words)[:60] for _, words in PASSAGES])
def test_what_a_skill_names_is_there(name: str, words: list[str]) -> None:
    """A passage speaks of the tools it names, and of what those of the other passages answered."""
    here = [word for word in words if word in LISTED]
    everywhere = sorted({word for _, other in PASSAGES if _ == name for word in other if word in LISTED})
    for word in words:
        known = (
            word in LISTED
            or holds(word, here)
            or holds(word, everywhere)
            or is_a_scope(word)
            or any(word.startswith(said) for said in SAID[name])
            or (word.startswith("fixes ") and delivered(word))
        )
        assert known, f"{name}: `{word}` is nothing that {everywhere} has"


@pytest.mark.parametrize("name", sorted(skills()))
def test_what_a_tool_must_have_is_said(name: str) -> None:
    """An agent that gives what the skill says is not refused for what is missing."""
    said = {word.partition(":")[0] for other, words in PASSAGES if other == name for word in words}
    needed = {field for tool in said & LISTED for field in schemas(tool)[0].get("required", ())}
    assert needed - said == set()


def test_a_name_that_is_wrong_is_found() -> None:
    assert not holds("indexed", ["search_memory"])
    assert holds("indexOnly: true", ["search_memory"])
    with pytest.raises(jsonschema.ValidationError):
        holds('state: ["started"]', ["list_work_items"])
