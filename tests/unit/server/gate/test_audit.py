"""What the log of changes may name: ids from fields that are ids, never words that look like one."""

from __future__ import annotations

import pytest

from server import audit
from server.operation import Input, Output
from server.operations import ALL

LIKE_IDS = [
    "deadbeefdeadbeef",
    "0190f5a0-0000-7000-8000-00000000dead",
    "mem_0123456789abcdefghjkmnpqrs",
    "US12",
]
WRITING = [one for one in ALL if one.audited and not one.reads]


class Asked(Input):
    """An input with words and ids."""

    id: str | None = None
    use_case: str | None = None
    projects: list[str] | None = None
    text: str = ""


class Inner(Output):
    """A row of an answer."""

    id: str
    title: str = ""
    rows: list[Inner] | None = None


class Told(Output):
    """An answer."""

    memory: Inner | None = None
    revoked: list[str] | None = None
    note: str = ""


@pytest.mark.parametrize("word", LIKE_IDS)
@pytest.mark.parametrize("operation", WRITING, ids=lambda one: one.name)
def test_no_field_that_holds_words_is_named(operation, word):
    """Whatever is not a name of ids alone: the log would keep it for good."""
    fields = operation.input.model_fields
    given = {
        spelling: [word] if many else word
        for name, field in fields.items()
        if name not in audit.NAMES
        for spelling in (name, field.alias)
        for many in (False, True)
    }
    nested = {name: {"id": word, "text": word} for name in fields}
    unknown = {"somethingElse": word, "ids": word}
    for one in (given, nested, given | unknown):
        assert audit.ids_in(operation.input, one) == []


def test_words_are_no_names_of_ids():
    words = {"content", "key", "value", "text", "title", "query", "q", "reason", "name", "snippet", "confirm"}
    assert not audit.NAMES & words


@pytest.mark.parametrize("one", LIKE_IDS)
def test_a_field_of_ids_is_named_however_it_is_spelled(one):
    assert audit.ids_in(Asked, {"id": one}) == audit.ids_in(Asked, {"useCase": one}) == [one]
    assert audit.ids_in(Asked, {"use_case": one, "projects": [one], "text": one}) == [one]
    assert audit.ids_in(Asked, {"id": f"{one} and more", "projects": "the shop"}) == []


def test_an_answer_names_what_is_near_its_top():
    deep = Inner(id="US4", rows=[Inner(id="US5")])
    told = Told(
        memory=Inner(id="US1", title="US2", rows=[Inner(id="US3", rows=[deep])]), revoked=["US6"], note="US7"
    )
    assert audit.ids_in(Asked, {"id": "US0"}, told) == ["US0", "US1", "US3", "US6"]


def test_fifty_are_enough():
    many = [f"US{number}" for number in range(60)]
    assert audit.ids_in(Asked, {"projects": many}) == many[:50]


class Changed(Output):
    """What an operation says it changed."""

    setting: list[str]
    note: str = "daily_usd"


def test_names_of_settings_count_where_the_answer_says_they_were_changed():
    assert audit.ids_in(Asked, {"setting": ["model"]}, Changed(setting=["daily_usd", "sk-1234"])) == [
        "daily_usd"
    ]
