"""What is recorded on purpose: clean, once, found at once, and untouched by the distiller."""

from __future__ import annotations

import secrets
from datetime import timedelta

import pytest

from server.errors import BadInput, Missing

from .conftest import NOW


def test_it_is_found_at_once_and_stays_an_event(told, alice):
    before = told.rows("SELECT count(*) FROM fact_versions")
    made = told.ask(
        alice,
        "record_event",
        kind="dead_end",
        title="Partial indexes do not help the cart query",
        text="The planner ignores them under row security.",
        project="shop",
        files=["src/carts/query.py"],
    )
    assert made.recorded
    assert (made.event.origin, made.event.author) == ("api", "alice")
    found = told.ask(alice, "search_memory", query="do partial indexes help the cart query?")
    assert made.event.id in {hit.ref for hit in found.hits}
    by_file = told.ask(alice, "search_memory", query="what is known here", files=["src/carts/query.py"])
    assert made.event.id in {hit.ref for hit in by_file.hits}
    assert told.rows("SELECT count(*) FROM fact_versions") == before
    told.rows("DELETE FROM search_units WHERE ref = :id RETURNING 1", id=made.event.id)
    told.rows("DELETE FROM events WHERE id = :id RETURNING 1", id=made.event.id)


def test_a_long_text_is_cut_in_lists_and_whole_when_opened(told, alice):
    words = "because the queue was full " * 400
    made = told.ask(alice, "record_event", kind="decision", title="A long story", text=words, project="web")
    assert made.event.text.endswith(f"[cut: {len(words.strip())} characters in all]")
    assert len(made.event.text) <= 4000
    whole = told.ask(alice, "open_memory", kind="event", ref=made.event.id)
    assert (whole.text, whole.cut) == (words.strip(), False)


def test_the_same_words_are_one_event(told, alice):
    one = told.ask(
        alice, "record_event", kind="fix", title="Close the pool", text="It leaked.", project="shop"
    )
    again = told.ask(
        alice, "record_event", kind="fix", title="close  the pool", text="It leaked. ", project="shop"
    )
    other = told.ask(
        alice, "record_event", kind="fix", title="Close the pool", text="It leaked.", project="web"
    )
    assert (one.recorded, again.recorded, other.recorded) == (True, False, True)
    assert again.event.id == one.event.id != other.event.id


def test_secrets_never_reach_a_row(told, alice):
    key, password = f"ghp_{secrets.token_hex(18)}", f"Zq9!{secrets.token_hex(6)}"
    made = told.ask(
        alice,
        "record_event",
        kind="decision",
        title=f"The token is {key}",
        text=f"postgres://shop:{password}@db/shop\n<private>the salary list</private>",
        project="shop",
        files=[f"deploy/{key}.txt"],
    )
    assert sum(made.redactions.values()) >= 3
    for table in ("events", "search_units", "search_postings"):
        everything = str(told.rows(f"SELECT {table}::text FROM {table}"))
        assert key not in everything
        assert password not in everything
        assert "salary" not in everything


def test_a_session_s_recorded_events_survive_its_distilling(told, alice):
    made = told.ask(
        alice, "record_event", kind="component", title="The order queue", session="s-2", project="shop"
    )
    own = told.ask(alice, "get_session", id="s-2").session.id
    assert made.event.session == own
    told.distil(own)
    assert made.event.id in {event.id for event in told.ask(alice, "get_session", id="s-2").events}
    found = told.ask(alice, "search_memory", query="the order queue", kinds=["event"])
    assert made.event.id in {hit.ref for hit in found.hits}


def test_a_question_is_open_until_something_answers_it(told, alice):
    asked = told.ask(alice, "record_event", kind="question", title="Do carts expire?", project="shop").event

    def waiting():
        return {event.id for event in told.ask(alice, "list_events", openQuestions=True).events}

    assert asked.id in waiting()
    assert f"event:{asked.id}" in told.ask(alice, "bootstrap_session", project="shop").refs
    given = {"kind": "decision", "title": "Carts expire after a day", "project": "shop"}
    answer = told.ask(alice, "record_event", answers=asked.id, **given).event
    assert asked.id not in waiting()
    assert f"event:{asked.id}" not in told.ask(alice, "bootstrap_session", project="shop").refs
    (kept,) = [one for one in told.ask(alice, "list_events", kind="question").events if one.id == asked.id]
    assert kept.answered_by == answer.id
    for wrong in (asked.id, "nothing", answer.id):
        with pytest.raises(Missing):
            told.ask(
                alice, "record_event", kind="decision", title=f"Not {wrong}", project="shop", answers=wrong
            )


def test_what_cannot_be_meant_is_refused(told, alice):
    with pytest.raises(BadInput, match="future"):
        told.ask(alice, "record_event", kind="fix", title="x", project="shop", at=NOW + timedelta(days=1))
    with pytest.raises(BadInput, match="name one"):
        told.ask(alice, "record_event", kind="fix", title="x")
    with pytest.raises(Missing):
        told.ask(alice, "record_event", kind="fix", title="x", project="shop", session="w-1")


def test_a_token_of_one_project_need_not_name_it(told, bob):
    made = told.ask(bob, "record_event", kind="convention", title="Svelte stores are typed")
    assert (made.event.project, made.event.author) == ("web", "bob (claude)")
