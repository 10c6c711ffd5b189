"""Short answer, one result in full, evidence behind it."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from schema.errors import NotFound
from server.errors import BadInput, Missing


def test_an_answer_is_fenced_and_structured_and_leads_to_its_evidence(told, alice):
    answer = told.ask(alice, "search_memory", query="which database holds the orders?", project="shop")
    first = answer.hits[0]
    assert first.kind == "fact"
    assert first.text == "The database is MySQL."
    assert first.current
    assert all(hit.text in answer.fenced for hit in answer.hits if not hit.cut)
    assert answer.fenced.startswith("<limbeck-memory mark=")
    whole = told.ask(alice, "open_memory", kind=first.kind, ref=first.ref)
    assert whole.text == first.text
    assert whole.evidence
    behind = told.ask(alice, "open_evidence", id=first.ref)
    assert [one.text for one in behind.evidence] == ["We switched the database from Postgres to MySQL."]
    assert behind.evidence[0].role == "person"
    itself = told.ask(alice, "open_evidence", id=behind.evidence[0].id)
    assert itself.evidence[0].text == behind.evidence[0].text


def test_kinds_time_and_history_narrow(told, alice):
    def texts(**how):
        found = told.ask(alice, "search_memory", query="database", kinds=["fact"], project="shop", **how)
        return [hit.text for hit in found.hits if "atabase" in hit.text]

    old, new = "Database: Postgres, because several workers write at once.", "The database is MySQL."
    assert texts() == [new]
    assert set(texts(history=True)) == {old, new}
    assert texts(asOf="2026-04-01") == [old]


def test_a_budget_cuts_and_says_how_long_the_text_is(told, alice):
    for how in ({"budget": 60}, {"indexOnly": True}):
        answer = told.ask(alice, "search_memory", query="orders Postgres workers", kinds=["summary"], **how)
        (cut,) = [hit for hit in answer.hits if hit.chars > 250]
        assert cut.cut
        assert f"{cut.chars} characters in all" in cut.text


def test_a_turn_that_capture_cut_says_its_full_length(told, alice):
    with told.database.tenant("local") as connection:
        ref = connection.scalar(
            text("""
                UPDATE exchanges SET cut = true, chars = 90000 WHERE text LIKE 'Always run ruff%' RETURNING id::text
            """)
        )
    answer = told.ask(alice, "search_memory", query="always run ruff before commit", kinds=["turn"])
    (hit,) = [hit for hit in answer.hits if hit.ref == ref]
    assert (hit.chars, hit.cut) == (90000, True)
    assert "90000 characters in all" in hit.text
    whole = told.ask(alice, "open_memory", kind="turn", ref=ref)
    assert (whole.chars, whole.cut) == (90000, True)
    evidence = told.ask(alice, "open_evidence", id=ref).evidence[0]
    assert (evidence.chars, evidence.cut) == (90000, True)


def test_a_question_without_words_is_refused_and_nothing_is_an_answer(told, alice):
    with pytest.raises(BadInput):
        told.ask(alice, "search_memory", query="?!")
    answer = told.ask(alice, "search_memory", query="zebra xylophone quartz")
    assert answer.hits == []
    assert "Nothing relevant" in answer.note


@pytest.mark.parametrize("name", ["0" * 36, "no such thing", "00000000-0000-7000-8000-000000000000"])
def test_what_is_not_there(told, alice, name):
    with pytest.raises(Missing):
        told.ask(alice, "open_memory", kind="fact", ref=name)
    with pytest.raises(NotFound):
        told.ask(alice, "open_evidence", id=name)
    with pytest.raises(Missing):
        told.ask(alice, "search_memory", query="orders", project=name)
