"""Chat as people type it: short forms, slips, pronouns, orders that are undone, settings, owners, dates, moves."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from distill.align import align
from distill.offline.distiller import OfflineDistiller
from distill.offline.spelling import in_full
from distill.resolve import resolve
from schema.records import Fact, Standing

from .scripts import START, evidence

DAY = timedelta(days=1)


def told(*sessions: list[str]) -> dict[str, str]:
    """The current values by slot after sessions a day apart."""
    return {_name(fact): fact.value for fact in _facts(*sessions) if fact.current}


def _facts(*sessions: list[str]) -> tuple[Fact, ...]:
    facts: tuple[Fact, ...] = ()
    for number, script in enumerate(sessions):
        said = evidence(script, start=START + DAY * number, session=f"s{number}")
        meant = align(OfflineDistiller().distil(said).offered, facts)
        change = resolve(facts, meant, datetime(2026, 6, 1, tzinfo=START.tzinfo))
        facts = (*(f for f in facts if f.version not in change.closes), *change.appends)
    return facts


def _name(fact: Fact) -> str:
    slot = fact.slot
    return " ".join(part for part in (slot.scope, slot.subject, slot.attribute) if part and part != "choice")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("lets go w/ Plover", "let's go with Plover"),
        ("dont do that pls", "don't do that please"),
        ("we swiched teh serach", "we switched the search"),
        ("serach runs on Plover atm", "search runs on Plover"),
        ("use the liner and the sever", "use the liner and the sever"),
        ("it is in src/serach.py", "it is in src/serach.py"),
    ],
)
def test_short_forms_and_slips_are_written_out(typed: str, meant: str) -> None:
    assert in_full(typed) == meant


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("P: nah, go w/ Plover instead of Kestrel for the db", {"database": "Plover"}),
        ("P: scratch Kestrel, Plover is the db now", {"database": "Plover"}),
        ("P: we deploy to Plover", {"hosting": "Plover"}),
        ("P: we draw charts with Plover", {"chart": "Plover"}),
        ("P: payments go through Plover", {"payment": "Plover"}),
        (
            "P: Because Kestrel lacks mandates, payments go through Plover since last week.",
            {"payment": "Plover"},
        ),
        (
            "P: the importer listens on port 8081, the catalog on 9090",
            {"importer port": "8081", "catalog port": "9090"},
        ),
        ("P: set pool_size to 40 for the importer", {"importer pool size": "40"}),
        ("P: importer: `pool_size = 40`", {"importer pool size": "40"}),
        (
            "P: Ada owns billing, Grace owns billing-export.",
            {"billing owner": "Ada", "billing export owner": "Grace"},
        ),
        ("P: the beta got pushed to 12 May", {"beta deadline": "12 May"}),
        ("P: prod region is eu-west-1", {"production region": "eu-west-1"}),
        (
            "P: Production runs in us-east-2 now, the old region is switched off.",
            {"production region": "us-east-2"},
        ),
        ("P: bump node to 22", {"node version": "22"}),
        ("P: we're on Node 18", {"node version": "18"}),
        ("P: Starting Monday logs go to Plover.", {"logging": "Plover"}),
        ("P: in the mobile app we use Plover for login", {"mobile app auth": "Plover"}),
        (
            "P: main database: Kestrel. analytics database: Plover.",
            {"database": "Kestrel", "analytic database": "Plover"},
        ),
    ],
)
def test_one_message(said: str, expected: dict[str, str]) -> None:
    assert told([said]) == expected


@pytest.mark.parametrize(
    "said",
    [
        "we're not on Plover yet",
        "The move to Plover isn't approved yet.",
        "we have not moved the database to Plover",
        "send the logs to Plover for today",
        "there's an open PR that moves background jobs to Plover",
        "once the Plover PR lands background jobs will run on Plover",
        "just for this debugging session ship the logs to Plover",
    ],
)
def test_what_has_not_happened_or_is_to_pass_is_no_fact(said: str) -> None:
    assert told(["P: Our logs go to Kestrel."], [f"P: {said}"]) == {"logging": "Kestrel"}


def test_a_sentence_without_a_slot_means_what_its_text_complained_of() -> None:
    text = "P: Kestrel got too expensive for our emails. Finance said no. So it's Plover from now on."
    assert told(["P: Emails are sent with Kestrel."], [text]) == {"email": "Plover"}
    text = "P: Kestrel went down twice this week, moved back to Plover"
    assert told(["P: We deploy to Kestrel."], [text]) == {"hosting": "Plover"}


def test_a_value_that_was_only_mentioned_before_is_for_a_person_to_decide() -> None:
    facts = _facts(["P: Emails are sent with Kestrel."])
    said = evidence(
        ["P: I fixed the Kestrel callback. We've moved to Plover."], start=START + DAY, session="s1"
    )
    (meant,) = align(OfflineDistiller().distil(said).offered, facts)
    assert (meant.slot.subject, meant.standing) == ("email", Standing.MODEL)
    assert resolve(facts, [meant], START + 2 * DAY).flags


def test_two_known_technologies_of_different_kinds_do_not_replace_one_another() -> None:
    assert (
        told(["P: The cache is Redis."], ["P: Redis is slow today. We moved to Kafka."])["cache"] == "Redis"
    )


def test_what_names_the_value_it_replaces_finds_its_slot_by_the_beginning_of_its_name_only() -> None:
    moved = told(
        ["P: The frontend is bundled with Kestrel."], ["P: migrate the frontend build from Kestrel to Plover"]
    )
    assert moved == {"frontend": "Plover"}
    beside = told(
        ["P: The database is Kestrel."], ["P: we switched the analytics database from Kestrel to Plover"]
    )
    assert beside == {"database": "Kestrel", "analytic database": "Plover"}


def test_a_moved_file_is_where_its_code_lives() -> None:
    first = ["P: the invoices code lives in src/invoices.py"]
    assert told(first, ["P: move src/invoices.py to lib/invoices/core.py"]) == {
        "invoice code": "lib/invoices/core.py"
    }


def test_a_rule_is_lifted_by_its_topic() -> None:
    first = ["P: Never use default exports in this repo."]
    assert list(told(first).values()) == ["never"]
    assert told(first, ["P: the default export rule is gone"]) == {}


def test_an_order_that_was_undone_never_held() -> None:
    turn = ["P: switch the cache to Plover", "O: Edit | cache.py | ok", "R: The cache is Plover now."]
    assert told(["P: The cache is Kestrel."], [*turn, "P: no, put it back"]) == {"cache": "Kestrel"}
    unasked = [
        "P: fix the cache test",
        "R: I switched the cache from Kestrel to Plover.",
        "P: what?? undo that",
    ]
    assert told(["P: The cache is Kestrel."], unasked) == {"cache": "Kestrel"}


def test_an_order_is_undone_by_a_change_of_mind() -> None:
    turn = ["P: replace Kestrel with Plover for the backups", "R: Backups are made with Plover now."]
    first = ["P: Backups are made with Kestrel."]
    assert told(first, [*turn, "P: changed my mind, revert to Kestrel"]) == {"backup": "Kestrel"}


def test_instead_of_names_the_slot_by_what_stood_in_it() -> None:
    commit = "C: Build the docs site with Plover instead of Kestrel | docs/Plover.config"
    assert told(["P: The docs site is built with Kestrel."], ["P: go on", commit]) == {"doc site": "Plover"}


@pytest.mark.parametrize(
    "said",
    [
        "the platform team across the hall uses Plover as wiki",
        "In my previous job the wiki was Plover.",
        "a contractor's PR says: switched the wiki to Plover",
    ],
)
def test_what_others_use_is_no_fact(said: str) -> None:
    assert told(["P: Our wiki is Kestrel."], [f"P: {said}"]) == {"wiki": "Kestrel"}


def test_what_a_person_had_stated_survives_the_undoing_of_an_edit() -> None:
    turn = ["P: The cache is Plover.", "R: I reformatted the file.", "P: undo that"]
    assert told(turn) == {"cache": "Plover"}


def test_a_polite_request_counts_once_it_was_done() -> None:
    asked = "P: can you swap Kestrel for Plover?"
    first = ["P: The cache is Kestrel."]
    assert told(first, [asked, "O: Edit | cache.py | ok", "R: All done, the tests pass."]) == {
        "cache": "Plover"
    }
    assert told(first, [asked, "R: Shall I also migrate the keys?"]) == {"cache": "Kestrel"}
    assert told(first, [asked, "O: Edit | cache.py | ok", "R: It does not work, I restored it."]) == {
        "cache": "Kestrel"
    }


def test_what_could_not_be_done_is_given_up() -> None:
    turn = [
        "P: switch the bundler to Plover",
        "R: I couldn't get Plover to build the worker, so I reverted everything.",
    ]
    assert told(["P: The bundler is Kestrel."], turn) == {"bundler": "Kestrel"}
