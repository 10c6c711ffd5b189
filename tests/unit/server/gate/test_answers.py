"""The bytes of an answer: a result and plain values come out alike, and nothing that cannot be encoded does."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from server.mcp.tools import answered
from server.operation import Output
from server.rest.answers import Json


class Thing(Output):
    the_text: str
    score: float = 0.1
    at: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)
    inner: list[str] | None = None


@pytest.mark.parametrize("text", ["plain", 'quoted " and \\ \n', "häöü \u4e2d\U0001f600", "\u2028"])
def test_a_result_is_written_as_its_values_are(text):
    thing = Thing(the_text=text, inner=[text])
    values = thing.model_dump(mode="json", by_alias=True)
    assert json.loads(Json(thing).body) == values
    assert json.loads(Json(values).body) == values
    assert Json(thing).body == Json(values).body
    assert text in json.loads(Json(thing).body)["theText"]


def test_half_a_surrogate_pair_is_a_question_mark_everywhere():
    thing = Thing(the_text="a\ud800b", inner=["\udfff"])
    assert json.loads(Json(thing).body)["theText"] == "a?b"
    result = answered(thing)
    assert result.structured_content["theText"] == "a?b"
    assert result.structured_content["inner"] == ["?"]
    assert result.content[0].text.encode()
    assert json.loads(result.content[0].text.splitlines()[2]) == result.structured_content
