"""A fact that something was said against: it stands, says so, and is sure again by a person's word or a later one."""

from __future__ import annotations

from datetime import timedelta

from distill import changes
from distill.run import prove_commit
from distill.store import flags
from distill.store.flags import Flag
from distill.store.listing import listed
from distill.told import Told, distil_told
from recall.answer import Hit
from recall.run import index_facts
from recall.search import recall
from schema.doubts import Doubt, doubts
from schema.ids import new_id
from schema.records import Fact
from schema.scope import Scope

from .conftest import Shelf, commit, day, manifest

NOW = day(400)


def against(shelf: Shelf, fact: Fact) -> Doubt | None:
    with shelf.database.tenant(shelf.client) as connection:
        return doubts(connection, shelf.client, [fact.id]).get(fact.id)


def waiting(shelf: Shelf, state: str = "open") -> list[Flag]:
    with shelf.database.tenant(shelf.client) as connection:
        return flags.listed(connection, Scope(shelf.client, (shelf.project,)), state=state)


def doubted(shelf: Shelf, said: str = "we parted ways with Postgres, license stuff") -> Fact:
    shelf.say("P: We use Postgres for the database.")
    shelf.say(f"P: {said}", start=day(2))
    fact = shelf.fact("Postgres")
    assert fact.current
    return fact


def test_a_change_without_a_new_value_leaves_the_fact_standing_in_doubt(shelf: Shelf) -> None:
    fact = doubted(shelf)
    assert shelf.values() == {("database", "Postgres")}
    doubt = against(shelf, fact)
    assert doubt is not None
    assert (
        doubt.told
        == f"said to have changed on {day(2):%Y-%m-%d}: «we parted ways with Postgres, license stuff»"
    )
    with shelf.database.tenant(shelf.client) as connection:
        (shown,) = listed(connection, Scope(shelf.client, (shelf.project,)))
    assert shown.doubt == doubt


def test_confirming_ends_a_doubt_and_the_same_words_do_not_bring_it_back(shelf: Shelf) -> None:
    fact = doubted(shelf)
    with shelf.database.tenant(shelf.client) as connection:
        changes.confirm(connection, shelf.client, fact.id, "Ada", NOW)
    assert against(shelf, fact) is None
    assert [(f.state, f.decided_by) for f in waiting(shelf, "rejected")] == [("rejected", "Ada")]
    shelf.say("P: we parted ways with Postgres, license stuff", start=day(3))
    assert against(shelf, fact) is None
    shelf.say("P: we parted ways with Postgres, license stuff", start=day(500))
    assert against(shelf, fact) is not None


def test_a_later_statement_ends_a_doubt_either_way(shelf: Shelf) -> None:
    fact = doubted(shelf)
    shelf.say("P: Our database is Postgres.", start=day(3))
    assert against(shelf, fact) is None
    shelf.say("P: Postgres has been sunset.", start=day(4))
    assert against(shelf, fact) is not None
    shelf.say("P: Our database is now MySQL.", start=day(5))
    assert shelf.values() == {("database", "MySQL")}
    assert waiting(shelf) == []


def test_accepting_a_doubt_ends_the_fact_and_restoring_brings_it_back_undoubted(shelf: Shelf) -> None:
    fact = doubted(shelf)
    (flag,) = waiting(shelf)
    with shelf.database.tenant(shelf.client) as connection:
        changes.decide(connection, shelf.client, flag.id, "Ada", NOW, accepted=True)
    assert shelf.values() == set()
    with shelf.database.tenant(shelf.client) as connection:
        changes.restore(connection, shelf.client, fact.id, "Ada", NOW + timedelta(1))
    assert shelf.values() == {("database", "Postgres")}
    assert against(shelf, fact) is None


def test_rejecting_or_rewording_ends_a_doubt_pinning_does_not(shelf: Shelf) -> None:
    fact = doubted(shelf)
    with shelf.database.tenant(shelf.client) as connection:
        changes.pin(connection, shelf.client, fact.id, True, NOW)
    assert against(shelf, fact) is not None
    (flag,) = waiting(shelf)
    with shelf.database.tenant(shelf.client) as connection:
        changes.decide(connection, shelf.client, flag.id, "Ada", NOW, accepted=False)
    assert against(shelf, fact) is None
    shelf.say("P: Postgres has been sunset.", start=day(500))
    assert against(shelf, fact) is not None
    with shelf.database.tenant(shelf.client) as connection:
        changes.edit(connection, shelf.client, fact.id, "Ada", day(501), statement="", value="Postgres 17")
    assert against(shelf, fact) is None


def test_a_doubt_and_its_rejection_let_briefs_be_made_anew(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.")
    marks = len(shelf.rows("SELECT id FROM bundle_marks"))
    told = Told(new_id(), "message", "we parted ways with Postgres", day(3))
    distil_told(shelf.database, shelf.client, shelf.project, [told])
    assert len(shelf.rows("SELECT id FROM bundle_marks")) == marks + 1
    (flag,) = waiting(shelf)
    with shelf.database.tenant(shelf.client) as connection:
        changes.decide(connection, shelf.client, flag.id, "Ada", NOW, accepted=False)
    assert len(shelf.rows("SELECT id FROM bundle_marks")) == marks + 2


def test_distilling_twice_raises_one_doubt(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.")
    session = shelf.say("P: Postgres has been sunset.", start=day(2))
    shelf.distil(session)
    assert len(waiting(shelf)) == 1


def test_a_message_brings_a_fact_into_doubt_and_a_late_old_one_does_not(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.", start=day(2))
    fact = shelf.fact("Postgres")
    late = Told(new_id(), "message", "we parted ways with Postgres", day(1))
    distil_told(shelf.database, shelf.client, shelf.project, [late])
    assert against(shelf, fact) is None
    newer = Told(new_id(), "message", "we parted ways with Postgres", day(3))
    distil_told(shelf.database, shelf.client, shelf.project, [newer])
    assert against(shelf, fact) is not None


def test_a_commit_that_takes_the_driver_away_brings_what_was_said_into_doubt(shelf: Shelf) -> None:
    shelf.say("P: Our database is Postgres.")
    for number, packages in ((1, '"httpx", "asyncpg"'), (2, '"httpx"')):
        stated = manifest("pyproject.toml", f'[project]\nname = "shop"\ndependencies = [{packages}]\n')
        change = commit(number, manifests=(stated,))
        prove_commit(shelf.database, shelf.client, shelf.project, change)
        doubt = against(shelf, shelf.fact("Postgres"))
        assert (doubt is None) is (number == 1)
    assert doubt is not None
    assert doubt.said == "asyncpg: pyproject.toml states it no longer since commit 0000000000."


def test_recall_tells_a_doubt_and_gives_the_fact_less_weight(shelf: Shelf) -> None:
    shelf.say("P: Our database is Postgres.", "P: The cache is Redis.", "P: CI runs on Jenkins.")
    shelf.say("P: Emails are sent with Kestrel.", "P: Logs go to Loki.", "P: Payments go through Stripe.")
    (sure,) = recalled(shelf, "which database do we use?")
    shelf.say("P: we parted ways with Postgres, license stuff", start=day(2))
    (hit,) = recalled(shelf, "which database do we use?")
    assert (sure.doubt, sure.ref) == (None, hit.ref)
    assert (
        hit.doubt
        == f"said to have changed on {day(2):%Y-%m-%d}: «we parted ways with Postgres, license stuff»"
    )
    assert hit.current
    assert hit.score < sure.score


def recalled(shelf: Shelf, question: str) -> tuple[Hit, ...]:
    index_facts(shelf.database, shelf.client, shelf.project)
    scope = Scope(shelf.client, (shelf.project,))
    return recall(shelf.database, scope, question, kinds=("fact",), limit=5).hits


def test_another_client_sees_nothing_of_it(shelf: Shelf) -> None:
    fact = doubted(shelf)
    shelf.database.add_client("bob")
    with shelf.database.tenant("bob") as connection:
        assert doubts(connection, "bob", [fact.id]) == {}
        assert doubts(connection, shelf.client, [fact.id]) == {}
