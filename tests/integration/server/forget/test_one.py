"""One memory, entry, fact or session: with everything that belongs to it or rests on it alone, and no more."""

from __future__ import annotations

import json
import uuid

import pytest
import redis
from pydantic import ValidationError
from sqlalchemy import text
from sqlalchemy.dialects.postgresql import Range

from recall.run import index_session
from schema.errors import ManyMeant, NotFound
from server.errors import Missing
from server.memory import bank, entries, typeid
from server.memory.scopes import Place
from server.operations.forget import OPERATIONS
from server.principal import Principal, Right

from .conftest import NOW


def resting(*rows, session=None):
    """Evidence that points at mirror rows."""
    return [
        {
            "kind": "exchange",
            "id": str(row),
            "at": NOW.isoformat(),
            "session": session and str(session),
            "commit": None,
        }
        for row in rows
    ]


def fact(shelf, project, words, **given):
    given = {"fact": uuid.uuid4(), "kind": "general", "session": None} | given
    return shelf.add("fact_versions", words, project=project, **given)["fact"]


def test_a_memory_of_the_bank(shelf):
    with shelf.database.tenant("acme", "alice") as connection:
        owner = bank.Owner("acme", "alice")
        kept = bank.save(connection, owner, "the heron stays", None, [], NOW)
        gone = bank.save(connection, owner, "the heron leaves", ["bird"], [bank.Context("heron talk")], NOW)
    before = shelf.rows()
    done = shelf.confirmed(memory=gone.id)
    assert done.removed == {"memories": 1, "memory_contexts": 1, "search_units": 1}
    after = shelf.rows()
    assert (before["memories"] - after["memories"], after["memories"]) == (1, 1)
    assert shelf.holding("leaves") == []
    with pytest.raises(Missing):
        shelf.run(memory=gone.id)
    assert shelf.run(memory=kept.id).total == 2


def test_a_remembered_entry_without_a_tombstone(shelf):
    with shelf.database.tenant("acme", "alice") as connection:
        place, writer = Place("acme", "alice", "global"), entries.Writer("alice", None)
        for value in ("an ibis", "a stork"):
            entries.remember(connection, place, writer, "bird", value, NOW)
    with shelf.database.everyone("acme") as connection:
        (identifier,) = connection.scalars(text("SELECT id::text FROM remembered"))
    assert shelf.confirmed(memory=identifier).removed == {
        "remembered": 1,
        "remembered_versions": 2,
        "search_units": 1,
    }
    assert shelf.holding("stork") == shelf.holding("ibis") == []


def test_a_fact_with_its_versions_flags_and_checks(shelf, project):
    other = fact(shelf, project, "penguins")
    gone = fact(shelf, project, "puffins", value_key="one")
    shelf.add(
        "fact_versions", "puffins", project=project, fact=gone, kind="general", session=None, retired_at=NOW
    )
    shelf.add("fact_flags", "puffins", project=project, fact=gone, state="open")
    shelf.add("fact_checks", "puffins", project=project, fact=gone)
    done = shelf.confirmed(fact=str(gone)[:8])
    assert done.removed == {"fact_versions": 2, "fact_flags": 1, "fact_checks": 1}
    assert "rescan" in done.not_reached[-1]
    assert shelf.holding("puffins") == []
    assert shelf.run(fact=str(other)).total == 1
    with pytest.raises(NotFound):
        shelf.run(fact=str(gone))


@pytest.fixture
def two(shelf, project):
    """Two sessions; a fact of each, one of both, one of nobody; the first session said secretly."""
    made = {}
    for name in ("first", "second"):
        row = shelf.add("sessions", name, project=project, state="ended", agent_session=f"{name}-session")
        session = row["session"]
        said = [
            shelf.add("exchanges", f"{name} words", project=project, session=session)["id"] for _ in range(2)
        ]
        done = shelf.add("observations", f"{name} call", project=project, session=session)["id"]
        shelf.add("windows", "x", observation=done, span=Range(NOW, NOW, bounds="[]"))
        for mirror in (*said, done):
            shelf.add("ledger", name, mirror=mirror, key=f"event|{mirror}")
        shelf.add("session_summaries", f"{name} summary", project=project, session=session)
        shelf.add("events", f"{name} event", project=project, session=session, kind="fix", origin="session")
        shelf.add(
            "drafts", f"{name} draft", project=project, session=session, state="draft", origin="session"
        )
        made[name] = (session, said)
        fact(shelf, project, f"{name} fact", session=session, evidence=resting(said[0], session=session))
    both = resting(made["first"][1][0], session=made["first"][0])
    both += resting(made["second"][1][0], session=made["second"][0])
    fact(shelf, project, "shared fact", evidence=both)
    fact(shelf, project, "lone fact")
    for session, _ in made.values():
        index_session(shelf.database, "acme", str(session))
    return made


def test_a_session_and_what_rests_on_it_alone(shelf, two):
    before = shelf.rows()
    done = shelf.confirmed(session="first-session")
    expected = {
        "exchanges": 2,
        "observations": 1,
        "windows": 1,
        "session_summaries": 1,
        "events": 1,
        "drafts": 1,
        "fact_versions": 1,
        "sessions": 1,
    }
    assert {name: rows for name, rows in done.removed.items() if not name.startswith("search_")} == expected
    assert done.events == 3
    assert done.note.endswith("`limbeck rescan` in the project brings those back.")
    after = shelf.rows()
    lost = {
        name: before[name] - after[name]
        for name in before
        if not name.startswith(("search_post", "search_stat", "bundle"))
    }
    assert {name: rows for name, rows in lost.items() if rows} == done.removed
    assert after["ledger"] == before["ledger"]
    assert shelf.holding("first") == []
    for kept in ("second words", "second summary", "second fact", "shared fact", "lone fact"):
        assert shelf.holding(kept)


def test_what_a_session_said_against_a_fact_that_stays_goes_with_it(shelf, two, project):
    session, (said, _) = two["first"]
    stays = fact(shelf, project, "standing fact")
    proposal = {"statement": "first doubt", "evidence": resting(said, session=session)}
    shelf.add("fact_flags", "x", project=project, fact=stays, state="open", proposal=proposal)
    assert shelf.holding("first doubt")
    shelf.confirmed(session="first-session")
    assert shelf.holding("first doubt") == []
    assert shelf.holding("standing fact")


def test_a_session_by_the_beginning_that_lists_show(shelf, two):
    own = str(two["first"][0])
    assert shelf.run(session=own[:13]).total == shelf.run(session=own).total > 0
    assert shelf.run(session="first").total == shelf.run(session=own).total


def test_a_beginning_of_several_sessions_forgets_none(shelf, two):
    project = shelf.add("projects", "another")["project"]
    other = shelf.add("sessions", "other", project=project, state="ended", agent_session="first-time")[
        "session"
    ]
    with pytest.raises(ManyMeant, match=str(other)):
        shelf.run(session="first")


def test_its_waiting_events_are_not_stored_later(shelf, two, redis_url):
    stream = redis.Redis.from_url(redis_url)
    key = "limbeck:{acme}:events"
    for session in ("first-session", "second-session"):
        stream.xadd(key, {"e": json.dumps({"agent": "claude", "session": session, "body": {}})})
    assert shelf.confirmed(session=str(two["first"][0])).queue == 1
    assert [json.loads(fields[b"e"])["session"] for _, fields in stream.xrange(key)] == ["second-session"]
    stream.close()
    with pytest.raises(NotFound):
        shelf.run(session="first-session")


@pytest.mark.parametrize(
    "given", [{}, {"text": "ab"}, {"text": "abc", "fact": "x"}, {"text": "x" * 513}, {"text": "   "}]
)
def test_one_thing_at_a_time(given):
    with pytest.raises(ValidationError):
        OPERATIONS[1].input.model_validate(given)


def test_unknown_things(shelf, session):
    for given in (
        {"memory": typeid.encode("mem", uuid.uuid4())},
        {"memory": str(uuid.uuid4())},
        {"memory": "x"},
    ):
        with pytest.raises(Missing):
            shelf.run(**given)
    for given in ({"session": "nowhere"}, {"fact": str(uuid.uuid4())}):
        with pytest.raises(NotFound):
            shelf.run(**given)


class TestHeldToSomeProjects:
    """Whoever administers one project alone reaches no further for good than otherwise."""

    @pytest.fixture
    def held(self, shelf, project):
        shelf.principal = Principal("acme", "alice", None, (str(project),), Right.ADMIN)
        return shelf

    def entry(self, shelf, project, owner=""):
        scope = f"project:{project}" if project else "global"
        with shelf.database.tenant("acme", owner) as connection:
            place = Place("acme", owner, scope, project and str(project))
            entries.remember(connection, place, entries.Writer("bob", None), "bird", "an auk", NOW)
            return connection.scalar(
                text("SELECT id::text FROM remembered WHERE scope = :scope AND owner = :owner"),
                {"scope": scope, "owner": owner},
            )

    def test_an_entry_of_another_project_is_not_there(self, held, project):
        beyond = self.entry(held, held.add("projects", "other things")["project"])
        for given in ({}, {"confirm": "0" * 12}):
            with pytest.raises(Missing):
                held.run(memory=beyond, **given)
        assert held.confirmed(memory=self.entry(held, project)).removed["remembered"] == 1

    def test_of_what_is_a_persons_only_their_own(self, held):
        theirs, own = self.entry(held, None, "bob"), self.entry(held, None, "alice")
        saved = {}
        for user in ("alice", "bob"):
            with held.database.tenant("acme", user) as connection:
                saved[user] = bank.save(connection, bank.Owner("acme", user), "an auk", None, [], NOW).id
        for one in (theirs, saved["bob"]):
            with pytest.raises(Missing):
                held.run(memory=one)
        for one in (own, saved["alice"]):
            assert held.run(memory=one).total > 0
