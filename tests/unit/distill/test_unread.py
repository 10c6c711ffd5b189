"""Sentences that no pattern reads, held against what stands: changes, doubts, and neither."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from distill import unread
from distill.align import align
from distill.arrivals import told_of
from distill.offline.distiller import OfflineDistiller
from distill.resolve import resolve
from distill.timeline import Verb
from limbeck.bench.facts_phrases import HALVES, Known, both_halves, known_after, phrases, read
from schema.records import Cardinality, Slot, Standing

from .scripts import START, evidence

KNOWN = {
    "database": "P: Our database is Postgres.",
    "email": "P: Emails are sent with Kestrel.",
    "timeout": "P: The request timeout is 30 seconds.",
    "region": "P: Production runs in eu-west-1.",
    "owner": "P: Noor owns billing.",
    "date": "P: The gamma launches on 12 May.",
}


def after(slot: str, said: str) -> Known:
    return known_after(KNOWN[slot], said)


@pytest.mark.parametrize(
    ("slot", "said", "value"),
    [
        ("database", "P: Postgres was carved out in June, MariaDB holds everything", "MariaDB"),
        ("database", "C: Banish Postgres, welcome CockroachDB | config/cockroachdb.yml", "CockroachDB"),
        ("email", "P: Kestrel bowed out, we hopped to Plover", "Plover"),
        ("database", "P: we left Postgres behind and live on MySQL", "MySQL"),
        ("timeout", "P: the request timeout tripled to 90 seconds", "90 seconds"),
        ("date", "P: the gamma slides two weeks, 26 May", "26 May"),
        ("region", "P: prod was relocated to eu-central-1", "eu-central-1"),
        ("region", "P: we fled eu-west-1, production lives in eu-north-1", "eu-north-1"),
    ],
)
def test_a_value_that_is_left_and_one_that_comes_are_a_change(slot: str, said: str, value: str) -> None:
    known = after(slot, said)
    assert known.surely(value)
    assert len([fact for fact in known.facts if fact.current]) == 1


@pytest.mark.parametrize(
    ("slot", "said", "value"),
    [
        ("database", "P: Postgres was carved out in June", "Postgres"),
        ("database", "C: Banish Postgres | config/postgres.yml", "Postgres"),
        ("database", "P: we walked out of Postgres and into MySQL or MariaDB, depends", "Postgres"),
        ("email", "P: Kestrel bowed out", "Kestrel"),
        ("email", "P: emails are Plover's business now", "Kestrel"),
        ("email", "P: Plover delivers our emails now", "Kestrel"),
        ("owner", "P: billing changed hands, talk to Tove", "Noor"),
    ],
)
def test_half_a_change_is_a_doubt(slot: str, said: str, value: str) -> None:
    known = after(slot, said)
    assert known.holds(value)
    assert not known.surely(value)


@pytest.mark.parametrize(
    ("slot", "said"),
    [
        ("database", "P: why do we not leave Postgres?"),
        ("database", "P: staging was moved off Postgres"),
        ("database", "P: Postgres made way for SQLite in the tests"),
        ("database", "P: Postgres made way for SQLite in CI"),
        ("database", "P: the customer replaced their Postgres with Oracle"),
        ("database", "P: they switched from Postgres to Oracle and regret it"),
        ("database", "P: the analytics database was moved from MySQL to ClickHouse today"),
        ("database", "P: we benchmarked MySQL against our database today"),
        ("database", "P: if Postgres is gone by May I owe you a beer"),
        ("database", "R: Postgres was carved out, MySQL holds everything now."),
        ("database", "C: Banish Postgres | "),
        ("email", "P: Kestrel lost its connection, we moved on"),
        ("timeout", "P: it takes 60 seconds now"),
        ("owner", "P: Noor moved to Berlin"),
    ],
)
def test_what_says_nothing_of_it_leaves_it_sure(slot: str, said: str) -> None:
    value = {"timeout": "30 seconds", "owner": "Noor"}.get(slot, KNOWN[slot].rstrip(".").split()[-1])
    assert after(slot, said).surely(value)


@pytest.mark.parametrize(
    ("slot", "said", "value"),
    [
        ("database", "P: Since yesterday the database syncs to MySQL for reporting.", "Postgres"),
        ("database", "P: the database exporter moved to MySQL", "Postgres"),
        ("date", "P: We have a new meeting for the gamma on 5 June.", "12 May"),
    ],
)
def test_news_beside_the_subject_ends_nothing(slot: str, said: str, value: str) -> None:
    assert after(slot, said).holds(value)


def test_a_measure_in_units_is_no_bare_number() -> None:
    assert told_of("Since Monday the retries come in 10 second steps.", "3") is None
    assert told_of("Since Monday the retries are at 10.", "3") == "10"


def test_a_doubt_of_many_facts_makes_no_pattern_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def noted(slot: Slot, value: str) -> str:
        made.append(value)
        return named(slot, value)

    named = unread._named
    monkeypatch.setattr(unread, "_named", noted)
    held = {(Slot(f"part {n}", "choice"), ""): (f"Kestrel{n:04}", Cardinality.ONE) for n in range(2000)}
    (said,) = OfflineDistiller().distil(evidence(["P: Kestrel0007 bowed out"])).unread
    (doubt,) = unread.understood(said, held, {})
    assert (doubt.value, doubt.negated) == ("Kestrel0007", True)
    assert set(made) == {"Kestrel0007"}


@pytest.mark.parametrize(
    "said", ["P: we moved Postgres to a bigger machine", "P: we migrated Postgres from RDS to our own box"]
)
def test_a_measure_alone_is_no_choice(said: str) -> None:
    (fact,) = after("database", said).facts
    assert fact.value == "Postgres"


def test_what_the_code_proves_no_word_brings_into_doubt() -> None:
    (said,) = known_after(KNOWN["database"]).facts
    session = evidence(["P: we parted ways with Postgres"], start=START + timedelta(days=1), session="s1")
    meant = align(OfflineDistiller().distil(session).offered, (said,))
    verbs = {
        standing: [
            action.verb for action in resolve((replace(said, standing=standing),), meant, START).actions
        ]
        for standing in Standing
    }
    assert verbs == {Standing.PERSON: [Verb.FLAG], Standing.MODEL: [Verb.FLAG], Standing.CODE: [Verb.IGNORE]}


def test_the_same_sentence_is_no_doubt_of_what_it_states() -> None:
    known = known_after(
        "P: We use Redis for the cache.", "P: We switched from Redis to Valkey for the cache."
    )
    assert known.surely("Valkey")
    assert not known.doubted


def test_the_set_has_two_halves_of_changes_and_of_what_changes_nothing() -> None:
    told = phrases()
    assert sum(not one.keeps for one in told) >= 120
    assert sum(one.keeps for one in told) >= 60
    for half in HALVES:
        mine = [one for one in told if one.half == half]
        assert min(sum(one.keeps for one in mine), sum(not one.keeps for one in mine)) >= 40


def test_of_either_half_nothing_that_is_true_is_retired_or_doubted() -> None:
    result = both_halves()
    for half in ("open", "held_out"):
        assert result[f"{half}_kept"] >= 40
        assert (result[f"{half}_kept_retired"], result[f"{half}_kept_doubted"]) == (0, 0)
        assert result[f"{half}_misread"] == 0


def test_of_the_open_half_little_stands_as_if_nothing_was_said() -> None:
    result = read(one for one in phrases() if one.half == "open")
    assert result["stale_undoubted"] <= 10
    assert result["current_first"] >= 70
