"""Sessions, what each gave, and the way it went, page by page."""

from __future__ import annotations

import pytest

from schema.errors import Refused
from server.errors import Missing

from .conftest import LATER, SHOP


def test_the_list_counts_and_filters(told, alice):
    listed = told.ask(alice, "list_sessions", project="shop").sessions
    assert [session.agent_session for session in listed] == ["s-2", "s-1"]
    first = listed[1]
    assert (first.exchanges, first.calls, first.commits) == (3, 2, 1)
    assert first.state == "distilled"
    assert first.facts == len(told.ask(alice, "get_session", id="s-1").facts)
    assert told.ask(alice, "list_sessions", agent="codex").sessions == []
    assert [one.agent_session for one in told.ask(alice, "list_sessions", since="2026-04-01").sessions] == [
        "s-2"
    ]
    assert told.ask(alice, "list_sessions", state="ended").sessions == []


def test_pages_of_sessions(told, alice):
    page = told.ask(alice, "list_sessions", limit=1)
    seen = [page.sessions[0].agent_session]
    while page.next_cursor:
        page = told.ask(alice, "list_sessions", limit=1, cursor=page.next_cursor)
        seen.append(page.sessions[0].agent_session)
    assert seen == ["s-2", "s-1", "w-1"]


def test_one_session_by_either_id(told, alice):
    by_agent = told.ask(alice, "get_session", id="s-1")
    assert by_agent == told.ask(alice, "get_session", id=by_agent.session.id)
    assert {event.kind for event in by_agent.events} == {"decision", "convention"}
    assert "Postgres" in {fact.value for fact in by_agent.facts}
    with pytest.raises(Missing):
        told.ask(alice, "get_session", id="nobody's")


def test_one_session_by_the_beginning_of_either_id(told, alice):
    whole = told.ask(alice, "get_session", id="s-1").session
    alone = next(
        whole.id[:length]
        for length in range(8, 37)
        if sum(one.id.startswith(whole.id[:length]) for one in told.ask(alice, "list_sessions").sessions) == 1
    )
    for name in (alone, alone.upper(), alone.replace("-", "")):
        assert told.ask(alice, "get_session", id=name).session == whole
    with pytest.raises(Missing):
        told.ask(alice, "get_session", id="s-")  # too short to be a beginning


def test_what_is_recorded_names_its_session_in_full(told, alice):
    given = {"kind": "fix", "title": "t", "text": "x", "project": "shop"}
    whole = told.ask(alice, "get_session", id="s-1").session.id
    with pytest.raises(Missing):
        told.ask(alice, "record_event", **given, session=whole[:-1])


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
def test_the_timeline_is_whole_and_in_order_in_pages_of_any_size(told, alice, limit):
    seen, cursor = [], None
    while True:
        page = told.ask(alice, "get_session_timeline", id="s-1", limit=limit, cursor=cursor)
        seen += page.entries
        if (cursor := page.next_cursor) is None:
            break
    assert [entry.at for entry in seen] == sorted(entry.at for entry in seen)
    kinds = {"P": "exchange", "R": "exchange", "O": "observation", "C": "commit"}
    assert [entry.kind for entry in seen] == [kinds[line[0]] for line in SHOP]
    assert [entry.target or entry.shape for entry in seen if entry.kind == "observation"] == [
        "src/orders/store.py",
        "ruff check",
    ]


def test_a_cut_text_tells_its_length(told, alice):
    entry = told.ask(alice, "get_session_timeline", id="s-2", maxChars=10).entries[0]
    said = LATER[0].removeprefix("P: ")
    assert (entry.text, entry.chars, entry.cut) == (said[:10], len(said), True)


def test_a_session_is_distilled_again_only_after_its_end(told, alice):
    assert told.ask(alice, "redistil_session", id="s-1").session.state == "ended"
    told.distil(told.ask(alice, "get_session", id="s-1").session.id)
    told.rows("UPDATE sessions SET state = 'active' WHERE agent_session = 's-1' RETURNING 1")
    with pytest.raises(Refused, match="active"):
        told.ask(alice, "redistil_session", id="s-1")
    told.rows("UPDATE sessions SET state = 'distilled' WHERE agent_session = 's-1' RETURNING 1")
