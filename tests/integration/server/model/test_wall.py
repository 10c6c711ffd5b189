"""Bob sees one project and a stranger none: whatever id they name, whichever operation they ask."""

from __future__ import annotations

import pytest

from schema.errors import LimbeckError
from server.errors import NotAllowed

from .conftest import BY_NAME

SECRETS = ("Postgres", "MySQL", "ruff", "shop", "src/orders", "s-1", "s-2")


@pytest.fixture(scope="module")
def ids(told, alice):
    """Everything of the shop that has an id."""
    facts = [fact.id for fact in told.ask(alice, "list_facts", project="shop", history=True).facts]
    events = [event.id for event in told.ask(alice, "list_events", project="shop").events]
    sessions = [session.id for session in told.ask(alice, "list_sessions", project="shop").sessions]
    commits = told.ask(alice, "get_commits", project="shop").commits
    entries = told.ask(alice, "get_session_timeline", id="s-1").entries
    summaries = [str(row[0]) for row in told.rows("SELECT id FROM session_summaries")][:1]
    ledger = [
        str(row[0]) for row in told.rows("SELECT event_id FROM ledger WHERE kind = 'prompt' ORDER BY entry")
    ][:1]
    return {
        "fact": facts,
        "event": events,
        "session": sessions,
        "summary": summaries,
        "turn": [entry.id for entry in entries if entry.kind == "exchange"],
        "commit": [commit.id for commit in commits],
        "other": [commit.sha for commit in commits] + [entry.id for entry in entries] + ledger,
    }


@pytest.mark.parametrize("who", ["bob", "stranger"])
def test_no_read_leaks(told, ids, who, request):
    principal = request.getfixturevalue(who)
    everything = [one for found in ids.values() for one in found]
    asked = [
        ("open_memory", {"kind": kind, "ref": one}) for kind in ids if kind != "other" for one in ids[kind]
    ]
    asked += [(name, {"id": one}) for name in ("open_evidence", "trace") for one in everything]
    asked += [("get_fact", {"id": one}) for one in [*ids["fact"], *(one[:13] for one in ids["fact"])]]
    asked += [
        (name, {"id": one}) for name in ("get_session", "get_session_timeline") for one in ids["session"]
    ]
    asked += [
        (name, {"id": "s-1"}) for name in ("get_session", "get_session_timeline", "trace", "open_evidence")
    ]
    named = ("list_facts", "list_sessions", "list_events", "get_recent_history", "get_commits", "hotspots")
    asked += [(name, {"project": "shop"}) for name in (*named, "bootstrap_session", "list_reviews")]
    asked += [("search_memory", {"query": "database", "project": "shop"})]
    asked += [("get_file_history", {"path": "src/orders/store.py", "project": "shop"})]
    for name, given in asked:
        with pytest.raises(LimbeckError):
            told.ask(principal, name, **given)


@pytest.mark.parametrize("who", ["bob", "stranger"])
def test_lists_hold_only_what_is_theirs(told, who, request):
    principal = request.getfixturevalue(who)
    asked = [
        (name, {"limit": 100}) for name in ("list_facts", "list_sessions", "list_events", "list_projects")
    ]
    asked += [
        (name, {"limit": 100}) for name in ("get_recent_history", "get_commits", "hotspots", "list_reviews")
    ]
    asked += [
        ("search_memory", {"query": "database orders ruff Postgres MySQL", "history": True, "limit": 50})
    ]
    asked += [("get_file_history", {"path": "src/orders/store.py"}), ("bootstrap_session", {})]
    for name, given in asked:
        told_them = told.ask(principal, name, **given).model_dump_json()
        echoed = told_them.replace('"path":"src/orders/store.py"', "")
        assert [word for word in SECRETS if word in echoed] == [], name


@pytest.mark.parametrize("who", ["bob", "stranger"])
def test_no_write_reaches_beyond(told, alice, ids, who, request):
    principal = request.getfixturevalue(who)
    before = told.ask(alice, "list_facts", project="shop", history=True)
    fact, session = {"id": ids["fact"][0]}, {"id": ids["session"][0]}
    for name, given in (
        ("retire_fact", fact),
        ("restore_fact", fact),
        ("confirm_fact", fact),
        ("pin_fact", fact),
        ("edit_fact", fact | {"value": "Oracle"}),
        ("redistil_session", session),
        ("record_event", {"kind": "fix", "title": "x", "project": "shop"}),
        ("record_event", {"kind": "fix", "title": "x", "session": ids["session"][0]}),
        ("record_event", {"kind": "fix", "title": "x", "answers": ids["event"][0]}),
    ):
        with pytest.raises(LimbeckError):
            told.ask(principal, name, **given)
    assert told.ask(alice, "list_facts", project="shop", history=True) == before


def test_what_is_of_the_whole_client_is_not_for_who_is_held_to_a_project(told, bob, alice):
    for name in ("status", "spend"):
        assert told.ask(alice, name)
        with pytest.raises(NotAllowed):
            told.ask(bob, name)
    given = BY_NAME["list_quarantine"].input()
    with pytest.raises(NotAllowed):
        BY_NAME["list_quarantine"].run(told.call(bob), given)
