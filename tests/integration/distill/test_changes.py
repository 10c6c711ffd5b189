"""A person's corrections: nothing lost, everything undoable."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text

from distill import changes
from distill.errors import ManyFacts, NoSuchFact, NoSuchFlag, NotCurrent, SlotTaken, StillCurrent
from distill.run import prove_commit
from distill.store import flags
from schema.errors import DatabaseConflict
from schema.records import Fact
from schema.scope import Scope

from .conftest import Shelf, commit, day

NOW = day(400)


def seen(facts: tuple[Fact, ...]) -> list[Fact]:
    """The current view without what is only bookkeeping."""
    return [replace(fact, version="", recorded_at=NOW) for fact in facts]


def change(shelf: Shelf, what: str, *arguments: object, after: int = 0, **options: object) -> object:
    with shelf.database.tenant(shelf.client) as connection:
        return getattr(changes, what)(
            connection, shelf.client, *arguments, NOW + timedelta(seconds=after), **options
        )


def test_retire_and_restore_bring_the_view_back_exactly(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.", "P: The cache is Redis.")
    before = shelf.facts()
    fact = shelf.fact("Postgres")
    change(shelf, "retire", fact.id, "Ada", "we do not")
    assert shelf.values() == {("cache", "Redis")}
    change(shelf, "restore", fact.id[:30], "Ada", after=60)
    assert seen(shelf.facts()) == seen(before)
    between = NOW + timedelta(seconds=30)
    assert shelf.values(known_at=between, as_of=between) == {("cache", "Redis")}
    assert shelf.values(known_at=NOW - timedelta(1)) == {("cache", "Redis"), ("database", "Postgres")}


def test_undo_of_a_supersession_restores_the_old_and_withdraws_the_new(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.")
    before = shelf.facts()
    session = shelf.say("P: We switched the database from Postgres to MySQL.", start=day(2))
    change(shelf, "restore", shelf.fact("Postgres").id, "Ada")
    assert seen(shelf.facts()) == seen(before)
    assert shelf.values(as_of=day(3)) == {("database", "Postgres")}
    shelf.distil(session)
    assert seen(shelf.facts()) == seen(before)
    shelf.say("P: We switched the database from Postgres to MySQL.", start=day(500))
    assert shelf.values() == {("database", "MySQL")}


def test_restore_refuses_what_another_decision_has_filled(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.")
    shelf.say("P: We switched the database from Postgres to MySQL.", start=day(2))
    shelf.say("P: We switched the database from MySQL to SQLite.", start=day(3))
    with pytest.raises(SlotTaken):
        change(shelf, "restore", shelf.fact("Postgres").id, "Ada")
    with pytest.raises(StillCurrent):
        change(shelf, "restore", shelf.fact("SQLite").id, "Ada")
    with pytest.raises(NotCurrent):
        change(shelf, "retire", shelf.fact("Postgres").id, "Ada", "")


def test_a_pinned_fact_waits_for_review_and_a_person_decides(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.")
    change(shelf, "pin", shelf.fact("Postgres").id, True)
    shelf.say("P: We switched the database from Postgres to MySQL.", start=day(2))
    assert shelf.values() == {("database", "Postgres")}
    with shelf.database.tenant(shelf.client) as connection:
        (flag,) = flags.listed(connection, Scope(shelf.client, (shelf.project,)))
    change(shelf, "decide", flag.id, "Ada", accepted=True)
    assert shelf.values() == {("database", "MySQL")}
    with pytest.raises(NoSuchFlag):
        change(shelf, "decide", flag.id, "Ada", accepted=True)
    row = shelf.rows("SELECT state, decided_by FROM fact_flags")
    assert row == [("accepted", "Ada")]


def test_a_rejected_flag_returns_only_with_newer_evidence(shelf: Shelf) -> None:
    prove_commit(
        shelf.database, shelf.client, shelf.project, commit(1, languages={"Go": 500}, languages_before={})
    )
    session = shelf.say("P: The backend is written in Rust.", start=day(2))
    with shelf.database.tenant(shelf.client) as connection:
        (flag,) = flags.listed(connection, Scope(shelf.client))
    change(shelf, "decide", flag.id, "Ada", accepted=False)
    shelf.distil(session)
    assert shelf.rows("SELECT state FROM fact_flags") == [("rejected",)]
    shelf.say("P: The backend is written in Rust.", start=day(450))
    assert shelf.rows("SELECT state FROM fact_flags") == [("open",)]


def test_confirm_and_edit_append(shelf: Shelf) -> None:
    shelf.say("R: The database is Postgres.")
    fact = shelf.fact("Postgres")
    assert fact.standing == "model"
    change(shelf, "confirm", fact.id, "Ada")
    assert shelf.fact("Postgres").standing == "person"
    change(shelf, "edit", fact.id, "Ada", after=5, statement="", value="PostgreSQL 17")
    assert shelf.fact("PostgreSQL 17").statement == "The database is PostgreSQL 17."
    assert len(shelf.rows("SELECT 1 FROM fact_versions")) == 3


def test_ids_are_found_by_their_beginning(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.", "P: The cache is Redis.")
    with pytest.raises(NoSuchFact):
        change(shelf, "retire", "zzz", "Ada", "")
    with pytest.raises(NoSuchFact):
        change(shelf, "retire", "", "Ada", "")
    with pytest.raises(ManyFacts):
        change(shelf, "retire", shelf.fact("Redis").id[:3], "Ada", "")


def test_the_database_itself_refuses_a_second_current_value(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.")
    statement = """
        INSERT INTO fact_versions (client, version, fact, project, subject, attribute, scope, cardinality, kind, value,
            value_key, statement, standing, valid_from)
        SELECT client, gen_random_uuid(), gen_random_uuid(), project, subject, attribute, scope, cardinality, kind,
            'MySQL', 'mysql', statement, standing, valid_from FROM fact_versions
    """
    with pytest.raises(DatabaseConflict), shelf.database.tenant(shelf.client) as connection:
        connection.execute(text(statement))


def test_another_client_sees_nothing(shelf: Shelf) -> None:
    shelf.say("P: We use Postgres for the database.")
    stranger = Shelf(shelf.database, "stranger")
    assert stranger.values() == set()
    with pytest.raises(NoSuchFact):
        change(stranger, "retire", shelf.fact("Postgres").id, "Eve", "")
