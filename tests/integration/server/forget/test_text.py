"""A person's request: every row of every table that holds their name, and nothing of it is found afterwards."""

from __future__ import annotations

import json
import uuid

import pytest
import redis
from sqlalchemy import text

from recall.run import index_session
from recall.search import recall
from recall.vectors import embed
from schema.scope import Scope
from schema.tables import metadata
from server.errors import NotAllowed, Stale
from server.forget.places import KEYS, LEFT, MIRROR, UNITS, searched
from server.memory import bank, entries
from server.memory.scopes import Place

from .conftest import NOW

NAME = "Ada Zanzibarov"
STATES = {"items": "open", "drafts": "draft", "sessions": "ended", "fact_flags": "open", "quarantine": "held"}
KINDS = {"messages": "message", "symbols": "function", "reindex": "session", "fact_versions": "general"}


class Flat:
    """Vectors for the test: every text is near every other."""

    model, dimension = "flat", 3

    def embed(self, texts):
        import numpy

        return numpy.ones((len(texts), 3), dtype=numpy.float32)


def fill(shelf, project, session, words):
    """One row or more in every table that is searched."""
    ids = {"project": project, "session": session}
    rows = {}
    first = ("items", "documents", "sessions")  # what others refer to
    for table in sorted((table for table, _ in searched()), key=lambda table: table.name not in first):
        name = table.name
        if name in (UNITS, "memories", "memory_contexts", "remembered", "remembered_versions", "projects"):
            continue
        given = {key: value for key, value in ids.items() if key in table.c and name != "sessions"}
        given |= {
            column: rows[other][key]
            for (of, column), (other, key) in shelf.references.items()
            if of == name and other in rows
        }
        if name == "sessions":
            given["project"] = project
        if name == "session_summaries":
            given["session"] = rows["sessions"]["session"]
        if name in STATES:
            given["state"] = STATES[name]
        if "kind" in table.c:
            given["kind"] = KINDS.get(name, "decision")
        if name == "work_log":
            given |= {"origin": "person", "outcome": f"done for {words}"}
        if name == "quarantine":
            given["entry"] = shelf.add("ledger", words, disposition="quarantined", mirror=None)["entry"]
        if name == "held_deletions":
            given["token"] = token(shelf)
        if name in ("events", "drafts"):
            given["origin"] = "session"
        if name == "memory_uses":
            given["kind"] = "fact"
        rows[name] = shelf.add(name, words, **given)
        if name in MIRROR:
            shelf.add("ledger", words, mirror=rows[name]["id"])
    return rows


def token(shelf):
    name = uuid.uuid4().hex[:16]
    shelf.add("tokens", "plain things", id=name, hash=uuid.uuid4().bytes * 2, may="read", projects=None)
    return name


def remembered(shelf, words):
    with shelf.database.tenant("acme", "alice") as connection:
        owner = bank.Owner("acme", "alice")
        bank.save(connection, owner, f"{words} likes tabs", ["style"], [], NOW)
        bank.save(connection, owner, "tabs it is", None, [bank.Context(f"{words} said so")], NOW)
        place, writer = Place("acme", "alice", "global"), entries.Writer("alice", None)
        entries.remember(connection, place, writer, f"who is {words}", "x", NOW)
        entries.remember(connection, place, writer, f"who {words[:3]}", f"ask {words}", NOW)
        entries.remember(connection, place, writer, f"who {words[:3]}", "ask nobody", NOW)
        entries.remember(connection, place, writer, f"editor of {words}", "vim", NOW)


@pytest.fixture
def full(shelf, project, session):
    rows = fill(shelf, project, session, NAME)
    fill(shelf, project, session, "Bob Plainly")
    remembered(shelf, NAME)
    remembered(shelf, "Bob Plainly")
    shelf.add("exchanges", "x", project=project, session=session, text="an innocent neighbour")
    index_session(shelf.database, "acme", str(session))
    embed(shelf.database, "acme", Flat())
    return rows


def test_every_table_holds_it_and_afterwards_none(shelf, full):
    words = "zanzibarov"
    held = {place.partition(":")[0] for place in shelf.holding(words)}
    assert {table.name for table, _ in searched()} - {"projects"} <= held
    before, others = shelf.rows(), sorted(shelf.holding("plainly"))
    done = shelf.confirmed(text=NAME)
    assert shelf.holding(words) == []
    after = shelf.rows()
    lost = {name: before[name] - after[name] for name in before}
    expected = {name: rows for name, rows in done.removed.items() if name not in ("quarantine", *UNITS_OF)}
    assert {name: rows for name, rows in lost.items() if name in expected} == expected
    assert {name for name, rows in lost.items() if rows} <= {
        *done.removed,
        "search_postings",
        "bundle_marks",
        "search_stats",
    }
    others_now = sorted(shelf.holding("plainly"))
    assert {place.partition(":")[0] for place in others} == {place.partition(":")[0] for place in others_now}
    assert done.events == 4  # exchange, observation, message, and what was held


UNITS_OF = ("search_units", "search_files", "search_vectors")


def test_a_second_time_there_is_nothing(shelf, full):
    shelf.confirmed(text=NAME)
    again = shelf.run(text="ada  ZANZIBAROV")
    assert (again.total, again.removed, again.reworded) == (0, {}, {})
    assert again.note == "There is nothing to forget."


def test_recall_finds_the_others_and_not_the_forgotten(shelf, full):
    shelf.confirmed(text=NAME)
    scope = Scope("acme", None, "alice")
    assert recall(shelf.database, scope, "zanzibarov").nothing
    assert not recall(shelf.database, scope, "plainly").nothing
    assert not recall(shelf.database, scope, "innocent neighbour").nothing


def test_looking_changes_nothing_and_another_count_is_not_confirmed(shelf, full):
    before = shelf.holding("zanzibarov")
    seen = shelf.run(text=NAME)
    assert not seen.done
    assert seen.total == sum(seen.removed.values()) + sum(seen.reworded.values())
    assert sorted(shelf.holding("zanzibarov")) == sorted(before)
    shelf.add("messages", NAME, kind="note", project=full["exchanges"]["project"], session=None)
    with pytest.raises(Stale):
        shelf.run(text=NAME, confirm=seen.confirm)
    with pytest.raises(Stale):
        shelf.run(text="Bob Plainly", confirm=shelf.run(text=NAME).confirm)


def test_an_interruption_leaves_all_or_nothing(shelf, full, monkeypatch):
    from server.forget import run

    before = sorted(shelf.holding("zanzibarov"))

    def killed(*_):
        raise KeyboardInterrupt

    seen = shelf.run(text=NAME)
    monkeypatch.setattr(run, "_distil_again", killed)  # before the commit
    with pytest.raises(KeyboardInterrupt):
        shelf.run(text=NAME, confirm=seen.confirm)
    assert sorted(shelf.holding("zanzibarov")) == before
    monkeypatch.undo()
    monkeypatch.setattr(run, "index_noted", killed)  # after it
    with pytest.raises(KeyboardInterrupt):
        shelf.run(text=NAME, confirm=seen.confirm)
    monkeypatch.undo()
    again = shelf.run(text=NAME)
    shelf.run(text=NAME, confirm=again.confirm)
    assert shelf.holding("zanzibarov") == []


def test_what_waits_in_the_queue_goes_and_the_sums_hold(shelf, full, redis_url):
    stream = redis.Redis.from_url(redis_url)
    key = "limbeck:{acme}:events"
    for said in (f"{NAME} asked", "somebody asked", NAME.upper()):
        stream.xadd(key, {"e": json.dumps({"kind": "prompt", "body": {"text": said}})})
    stream.xadd(key, {"e": f"not json, {NAME}"})
    done = shelf.confirmed(text=NAME)
    assert done.queue == 3
    left = [fields[b"e"] for _, fields in stream.xrange(key)]
    assert len(left) == 1
    assert b"somebody" in left[0]
    with shelf.database.tenant("acme") as connection:
        counted = connection.scalar(
            text("SELECT events FROM ledger_counts WHERE disposition = 'quarantined'")
        )
        dropped = connection.scalar(
            text("SELECT count(*) FROM quarantine WHERE state = 'dropped' AND attempts = 0")
        )
        assert (counted, dropped) == (3, 3)
    stream.close()


def test_a_queue_that_is_away_is_told(shelf, full):
    shelf.options["queue_url"] = "redis://127.0.0.1:1"
    done = shelf.confirmed(text=NAME)
    assert "queue did not answer" in done.not_reached[0]


def test_a_token_for_some_projects_may_not(shelf, project):
    from dataclasses import replace

    shelf.principal = replace(shelf.principal, projects=(str(project),))
    with pytest.raises(NotAllowed):
        shelf.run(text=NAME)


def test_every_table_is_searched_or_left_for_a_reason():
    names = {table.name for table, _ in searched()}
    assert names | LEFT == set(metadata.tables)
    assert set(KEYS) <= names | LEFT


def test_lines_of_the_log_that_name_a_user_so_are_counted(shelf):
    for user in ("heron", "Heron Grey", "heron", "someone else"):
        shelf.add("audit", "plain things", user_name=user, outcome="done")
    shelf.add(
        "tokens", "plain things", user_name="heron", id="0" * 16, hash=b"x" * 32, may="read", projects=None
    )
    shelf.database.add_client("other")
    assert any(line.startswith("4 tokens and lines") for line in shelf.run(text="heron").not_reached)
    assert not any("audit log" in line for line in shelf.run(text="egret").not_reached)
