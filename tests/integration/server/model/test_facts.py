"""Facts in pages and through time; corrections by whoever asks, seen by recall at once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import event

from distill.errors import NotCurrent
from distill.store.listing import listed
from limbeck.bench.facts_script import START
from schema.errors import NotFound
from schema.scope import Scope
from server.errors import BadInput

from .conftest import NOW, World


@pytest.fixture
def shop(database, alice):
    from schema.database import Database

    opened = Database(database.app_url)
    opened.add_client("local")
    world = World(opened)
    world.tell("shop", "s-1", ["P: We use Postgres for the database.", "P: The cache is Redis."])
    yield world
    opened.close()


def values(world, alice, **how):
    return [fact.value for fact in world.ask(alice, "list_facts", **how).facts]


def test_pages_hold_every_fact_once_whatever_is_added_meanwhile(shop, alice):
    shop.tell(
        "shop", "s-2", [f"P: We use Tool{n} for the part{n}." for n in range(9)], start=START + timedelta(1)
    )
    seen, cursor = [], None
    while True:
        page = shop.ask(alice, "list_facts", limit=4, cursor=cursor)
        seen += [fact.id for fact in page.facts]
        if (cursor := page.next_cursor) is None:
            break
        if len(seen) == 4:  # sorts before everything that was shown
            shop.tell("shop", "s-3", ["P: We use Aardvark for the aaa."], start=START + timedelta(2))
    everything = [fact.id for fact in shop.ask(alice, "list_facts", limit=100).facts]
    assert len(seen) == len(set(seen)) == 11
    assert set(seen) < set(everything)


def test_filters(shop, alice):
    assert values(shop, alice) == ["Redis", "Postgres"]
    assert values(shop, alice, subject="the DB") == ["Postgres"]
    assert values(shop, alice, standing="code") == []
    assert values(shop, alice, text="CACHE") == ["Redis"]
    assert values(shop, alice, text="100%") == []
    assert values(shop, alice, pinned=True) == []


def test_as_of_and_history(shop, alice):
    shop.tell(
        "shop", "s-2", ["P: We switched the database from Postgres to MySQL."], start=START + timedelta(60)
    )
    assert values(shop, alice, subject="database") == ["MySQL"]
    assert values(shop, alice, subject="database", asOf="2026-04-01") == ["Postgres"]
    assert values(shop, alice, subject="database", history=True) == ["Postgres", "MySQL"]
    old = shop.ask(alice, "list_facts", subject="database", history=True).facts[0]
    life = shop.ask(alice, "get_fact", id=old.id)
    assert [version.valid_to is None for version in life.versions] == [True, False]
    assert life.fact.superseded_by == shop.ask(alice, "list_facts", subject="database").facts[0].id


def test_retire_and_restore_name_who_did_it_and_recall_follows(shop, alice):
    fact = shop.ask(alice, "list_facts", subject="database").facts[0]
    told = shop.ask(alice, "retire_fact", id=fact.id, reason="moved; password=hunter2-xY9!z").fact
    assert not told.current
    assert told.reason.startswith("retired by alice: moved")
    assert "hunter2" not in told.reason

    def recalled():
        answer = shop.ask(alice, "search_memory", query="database Postgres", kinds=["fact"])
        return [hit.ref for hit in answer.hits]

    assert fact.id not in recalled()
    with pytest.raises(NotCurrent):
        shop.ask(alice, "confirm_fact", id=fact.id)
    assert shop.ask(alice, "restore_fact", id=fact.id).fact.current
    assert fact.id in recalled()
    assert values(shop, alice, subject="database") == ["Postgres"]


def test_confirm_pin_and_edit(shop, alice):
    fact = shop.ask(alice, "list_facts", subject="cache").facts[0]
    assert shop.ask(alice, "confirm_fact", id=fact.id).fact.reason == "confirmed by alice"
    assert shop.ask(alice, "pin_fact", id=fact.id).fact.pinned
    assert values(shop, alice, pinned=True) == ["Redis"]
    edited = shop.ask(alice, "edit_fact", id=fact.id, value="Valkey", statement="The cache is Valkey 8.").fact
    assert (edited.value, edited.statement) == ("Valkey", "The cache is Valkey 8.")
    answer = shop.ask(alice, "search_memory", query="which cache?", kinds=["fact"])
    assert answer.hits[0].text == "The cache is Valkey 8."
    with pytest.raises(ValueError, match="say what to change"):
        shop.ask(alice, "edit_fact", id=fact.id)


def test_reviews_are_decided_once(shop, alice):
    fact = shop.ask(alice, "list_facts", subject="database").facts[0]
    shop.ask(alice, "pin_fact", id=fact.id)
    shop.tell(
        "shop", "s-2", ["P: We switched the database from Postgres to MySQL."], start=START + timedelta(60)
    )
    assert values(shop, alice, subject="database") == ["Postgres"]
    (review,) = shop.ask(alice, "list_reviews").reviews
    assert (review.fact, review.value) == (fact.id, "MySQL")
    done = shop.ask(alice, "accept_review", id=review.id)
    assert (done.state, done.decided_by) == ("accepted", "alice")
    assert values(shop, alice, subject="database") == ["MySQL"]
    with pytest.raises(NotFound):
        shop.ask(alice, "reject_review", id=review.id)
    assert [one.id for one in shop.ask(alice, "list_reviews", state="accepted").reviews] == [review.id]
    answer = shop.ask(alice, "search_memory", query="which database?", kinds=["fact"])
    assert [hit.current for hit in answer.hits if "MySQL" in hit.text] == [True]


@pytest.mark.parametrize("cursor", ["x", "e30", "W10", "WyJhIl0", "bm90IGpzb24"])
def test_a_foreign_cursor_is_refused(shop, alice, cursor):
    for name in (
        "list_facts",
        "list_sessions",
        "list_events",
        "get_commits",
        "list_projects",
        "list_reviews",
    ):
        with pytest.raises(BadInput, match="cursor"):
            shop.ask(alice, name, cursor=cursor)


def test_known_at_shows_what_was_believed(shop, alice):
    fact = shop.ask(alice, "list_facts", subject="database").facts[0]
    shop.ask(alice, "retire_fact", id=fact.id)
    assert values(shop, alice, subject="database") == []
    before, after = NOW - timedelta(minutes=1), NOW + timedelta(minutes=1)
    assert values(shop, alice, subject="database", knownAt=before) == ["Postgres"]
    assert values(shop, alice, subject="database", knownAt=after) == []


def test_of_a_long_life_the_latest_is_told_and_that_there_is_more(shop, alice, monkeypatch):
    fact = shop.ask(alice, "list_facts", text="cache").facts[0].id
    for pinned in (True, False, True):
        told = shop.ask(alice, "pin_fact", id=fact, pinned=pinned)
    whole = [one.version for one in told.versions]
    assert (len(whole), told.more) == (4, False)
    monkeypatch.setattr("server.operations.facts.MOST_VERSIONS", 2)
    told = shop.ask(alice, "get_fact", id=fact)
    assert ([one.version for one in told.versions], told.more) == (whole[-2:], True)
    assert told.fact.pinned


@pytest.mark.parametrize("after", [False, True])
def test_the_order_of_all_projects_facts_comes_from_an_index(shop, after):
    with shop.database.tenant("local") as connection:
        place = listed(connection, Scope("local"), limit=1)[0].place if after else None
        asked = []
        event.listen(connection, "before_cursor_execute", lambda *given: asked.append(given[2:4]))
        listed(connection, Scope("local"), after=place)
        # The few rows of a test are sorted faster than they are looked up.
        for dear in ("enable_sort", "enable_incremental_sort", "enable_seqscan", "enable_bitmapscan"):
            connection.exec_driver_sql(f"SET LOCAL {dear} = off")
        statement, values = asked[0]
        plan = "\n".join(connection.exec_driver_sql(f"EXPLAIN {statement}", values).scalars())
    assert "facts_in_order" in plan
    assert "Sort" not in plan


def test_what_waits_for_review_of_one_fact(shop, alice):
    fact = shop.ask(alice, "list_facts", text="cache").facts[0].id
    assert shop.ask(alice, "list_reviews", fact=fact).reviews == []
    with pytest.raises(BadInput, match="not the whole id"):
        shop.ask(alice, "list_reviews", fact="0199")
