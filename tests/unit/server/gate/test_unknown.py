"""A name that an input does not have is refused with what may have been meant, but where a contract drops it."""

from __future__ import annotations

import json

import anyio
import pytest
from pydantic import Field, create_model
from starlette.requests import Request

from server.errors import InvalidInput
from server.operation import Input
from server.operations import ALL
from server.perform import validated
from server.rest.given import given
from server.rest.openapi import document, plain
from server.values import MOST_WRONG

LENIENT = {"postMemory"}


class Part(Input):
    """A part."""

    file_path: str = ""


class Whole(Input):
    """A whole."""

    project: str | None = None
    project_id: str | None = None
    parts: list[Part] | None = None
    free: dict[str, str] = Field(default_factory=dict)


class Empty(Input):
    """Nothing."""


WIDE = create_model("Wide", __base__=Input, **{f"n{n}": (int, 0) for n in range(15)})


def refused(model, **values):
    with pytest.raises(InvalidInput) as raised:
        validated(model, values)
    return [(one["path"], one["message"]) for one in raised.value.details]


@pytest.mark.parametrize(
    ("values", "path", "message"),
    [
        ({"projct": "x"}, "projct", "There is no `projct` here: did you mean `project` or `projectId`?"),
        ({"PARTS": []}, "PARTS", "There is no `PARTS` here: did you mean `parts`?"),
        (
            {"bogus": 1},
            "bogus",
            "There is no `bogus` here; there is `project`, `projectId`, `parts`, `free`.",
        ),
        (
            {"parts": [{}, {"filePth": "x"}]},
            "parts.1.filePth",
            "There is no `filePth` here: did you mean `filePath`?",
        ),
        (
            {"project_id": "a", "projectId": "b"},
            "project_id",
            "`project_id` is given twice: it is the same as `projectId`.",
        ),
    ],
)
def test_the_unknown_name_is_told_with_the_nearest(values, path, message):
    assert refused(Whole, **values) == [(path, message)]


def test_both_spellings_and_free_keys_are_taken():
    assert validated(Whole, {"project_id": "a", "free": {"bogus": "x"}}).project_id == "a"
    assert validated(Whole, {"projectId": "a", "parts": [{"file_path": "x"}]}).parts == [Part(file_path="x")]


def test_what_takes_nothing_says_so():
    assert refused(Empty, bogus=1) == [("bogus", "There is no `bogus` here, and nothing else to give.")]


def test_of_many_names_the_first_are_told():
    ((_, message),) = refused(WIDE, bogus=1)
    assert message.endswith("`n11` and 3 more.")


def test_an_answer_stays_short_and_in_one_line():
    ((path, message),) = refused(Whole, **{"x\n" * 5000: 1})
    assert len(path) < 70
    assert len(message) < 200
    assert "\n" not in path + message
    assert len(refused(Whole, **{f"q{n}": 1 for n in range(5000)})) == MOST_WRONG


def test_every_operation_refuses_and_says_so_but_the_one_whose_contract_drops():
    described = document(ALL, "1")["paths"]
    for operation in ALL:
        strict = operation.name not in LENIENT
        schema = operation.input.model_json_schema(by_alias=True)
        assert (schema.get("additionalProperties") is False) is strict, operation.name
        body = described[plain(operation.path)][operation.method.lower()].get("requestBody")
        if body is not None:
            taken = body["content"]["application/json"]["schema"]
            assert (taken.get("additionalProperties") is False) is strict, operation.name
        for name, part in schema.get("$defs", {}).items():
            if "properties" in part:
                assert (part.get("additionalProperties") is False) is strict, (operation.name, name)


def test_a_query_beside_a_body_is_refused():
    searching = next(one for one in ALL if one.name == "search_memory")

    async def receive():
        return {"type": "http.request", "body": json.dumps({"query": "x"}).encode()}

    headers = [(b"content-type", b"application/json")]
    scope = {
        "type": "http",
        "query_string": b"project=elsewhere",
        "headers": headers,
        "path": "/",
        "path_params": {},
    }
    with pytest.raises(InvalidInput) as raised:
        anyio.run(given, Request(scope, receive), searching)
    assert raised.value.details == [
        {"path": "project", "message": "It stands in the address; here every value belongs in the JSON body."}
    ]
