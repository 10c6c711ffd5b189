"""A question taken apart."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.errors import BadQuestion
from recall.question import MOST_WORDS, parse
from recall.synonyms import EXPANSIONS, WEIGHT

NOW = datetime(2026, 3, 18, 15, tzinfo=UTC)


def test_words_and_their_synonyms():
    question = parse("auth db", NOW)
    assert question.words["auth"] == question.words["db"] == 1.0
    assert question.words["database"] == question.words["authentication"] == WEIGHT


def test_synonyms_are_known_both_ways_and_never_of_themselves():
    for word, others in EXPANSIONS.items():
        assert word not in others
        assert all(word in EXPANSIONS[other] for other in others)


def test_phrases_and_files():
    question = parse('why "exponential backoff" in deliver.py and src/app/main.go, not v1.2.3', NOW)
    assert question.phrases == (("exponential", "backoff"),)
    assert question.files == ("deliver.py", "src/app/main.go")


@pytest.mark.parametrize(
    "text",
    [
        "which database did we use before?",
        "what was it originally",
        "the previous host",
        "what did X replaced by Y",
    ],
)
def test_history_is_wished_for(text):
    assert parse(text, NOW).history


@pytest.mark.parametrize("text", ["which database do we use?", "before we merge, what must pass"])
def test_history_is_not_wished_for(text):
    assert not parse(text, NOW).history


@pytest.mark.parametrize(
    ("text", "present"),
    [
        ("What is the API limit?", True),
        ("current limit", True),
        ("When did we raise the limit?", False),
        ("fix: handle empty scans", False),
        ("What was the limit?", False),
        ("When does the sprint end?", True),
    ],
)
def test_present(text, present):
    assert parse(text, NOW).present is present


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ("When did we go camping in July?", False),
        ("On which date in March did it break?", False),
        ("How long ago in January was that?", False),
        ("What did we fix in July?", True),
        ("whenever it broke in July", True),
    ],
)
def test_who_asks_when_is_not_held_to_a_time(text, strict):
    window = parse(text, NOW).window
    assert window is not None
    assert window.strict is strict


@pytest.mark.parametrize(
    ("text", "spelt"),
    [('"exponential backoff"', True), ('who read "The Hobbit"?', False), ("backoff", False)],
)
def test_only_a_phrase(text, spelt):
    assert parse(text, NOW).spelt is spelt


def test_a_time_is_no_topic():
    question = parse("What changed in auth last week?", NOW)
    assert question.about == "What changed in auth ?"
    assert "auth" in question.words
    assert not {"last", "week", "changed"} & question.words.keys()


@pytest.mark.parametrize("text", ["", "   \n\t", "\x00", "?!... --", "\ud800"[:0], "'''", "%%__", "&|!()"])
def test_nothing_to_search_for_is_refused(text):
    with pytest.raises(BadQuestion):
        parse(text, NOW)


def test_a_book_is_cut():
    question = parse("word " * 20_000, NOW)
    assert question.cut
    assert len(question.words) == 1


@given(st.text(max_size=500))
def test_any_text_is_parsed_or_refused(text):
    try:
        question = parse(text, NOW)
    except BadQuestion:
        return
    assert question.words or question.window
    assert sum(1 for weight in question.words.values() if weight == 1.0) <= MOST_WORDS
