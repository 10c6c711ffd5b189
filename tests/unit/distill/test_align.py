"""Which slot a sentence meant."""

from __future__ import annotations

from distill.align import align
from distill.offline.distiller import OfflineDistiller
from distill.resolve import resolve
from schema.records import Fact

from .scripts import START, evidence


def told(*lines: str) -> tuple[Fact, ...]:
    """The believed facts after sessions of one line each."""
    facts: tuple[Fact, ...] = ()
    for number, line in enumerate(lines):
        session = evidence([f"P: {line}"], start=START.replace(day=1 + number), session=f"s{number}")
        current = [fact for fact in facts if fact.current]
        meant = align(OfflineDistiller().distil(session).offered, current)
        outcome = resolve(facts, meant, START.replace(month=6, second=number))
        facts = tuple(fact for fact in facts if fact.version not in outcome.closes) + outcome.appends
    return facts


def current(*lines: str) -> set[tuple[str, str]]:
    return {(fact.slot.subject, fact.value) for fact in told(*lines) if fact.current}


def test_a_named_old_value_finds_its_slot() -> None:
    assert current("We use Kestrel for the message bus.", "We switched from Kestrel to Plover.") == {
        ("message bus", "Plover")
    }


def test_a_value_without_a_role_never_replaces_one_with_a_role() -> None:
    found = current("We use Postgres for the database.", "We use MySQL.")
    assert found == {("database", "Postgres"), ("project", "MySQL")}


def test_uses_and_is_are_one_slot() -> None:
    assert current("The rate limiter runs on Quill.", "The rate limiter is now Brax.") == {
        ("rate limiter", "Brax")
    }


def test_another_form_of_the_word_is_the_same_slot() -> None:
    assert current("Our error tracker is Sentry.", "We use GlitchTip for error tracking now.") == {
        ("error tracker", "GlitchTip")
    }


def test_a_component_may_use_two_kinds_of_thing() -> None:
    assert current("Billing uses Kafka.", "Billing uses Postgres.") == {
        ("billing message queue", "Kafka"),
        ("billing database", "Postgres"),
    }


def test_a_framework_is_no_language() -> None:
    found = current("The backend is written in Python.", "The backend is FastAPI.")
    assert ("backend", "Python") in found


def test_of_two_slots_with_the_old_value_the_one_it_is_known_for_is_meant() -> None:
    found = current("The cache is Redis.", "The session store is Redis.", "We switched from Redis to Valkey.")
    assert found == {("cache", "Valkey"), ("session store", "Redis")}
