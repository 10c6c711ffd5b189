"""A slimmed schema accepts and refuses what the whole one does, but for a null that is given outright."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from server.mcp.schemas import slim
from server.operations import ALL

SMALL = (
    st.none()
    | st.booleans()
    | st.integers(-5, 2000)
    | st.text(max_size=4)
    | st.lists(st.text(max_size=2), max_size=2)
)


def without_nulls(value):
    return {key: inner for key, inner in value.items() if inner is not None}


@pytest.mark.parametrize("operation", ALL, ids=lambda operation: operation.name)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_same_values_pass(operation, data):
    whole = operation.input.model_json_schema(by_alias=True)
    slimmed = slim(whole)
    Draft202012Validator.check_schema(slimmed)
    values = data.draw(
        st.dictionaries(st.sampled_from([*whole.get("properties", {}), "other"]), SMALL, max_size=4)
    )
    values = without_nulls(values)
    assert Draft202012Validator(slimmed).is_valid(values) == Draft202012Validator(whole).is_valid(values)


def test_titles_go_and_a_field_of_that_name_stays():
    schema = {"title": "T", "properties": {"title": {"type": "string", "title": "Title", "description": "d"}}}
    assert slim(schema) == {"properties": {"title": {"type": "string", "description": "d"}}}
    assert slim(schema, words=False) == {"properties": {"title": {"type": "string"}}}


def test_what_an_object_is_for_is_said_by_its_tool_and_a_fields_words_stay():
    inner = {
        "type": "object",
        "description": "A thing.",
        "properties": {"a": {"type": "string", "description": "d"}},
    }
    schema = {"description": "What to do.", "properties": {"one": inner}}
    assert slim(schema) == {
        "properties": {"one": {"type": "object", "properties": {"a": {"type": "string", "description": "d"}}}}
    }


def test_an_output_may_still_be_null():
    schema = {"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}
    assert slim(schema, words=False) == schema
