"""What an agent says is a person's word only where the person said the same; a report of work done is no fact."""

from __future__ import annotations

import pytest

from distill.offline.distiller import OfflineDistiller
from schema.records import Proposal, Standing

from .scripts import evidence


def proposed(*lines: str) -> tuple[Proposal, ...]:
    return OfflineDistiller().distil(evidence(list(lines))).proposals


@pytest.mark.parametrize(
    "report",
    [
        "The service is set up.",
        "The service is set up with FastAPI.",
        "The invoice service is up and running.",
        "The database is in place.",
        "The endpoint is wired up.",
        "The service is built and ready.",
        "The docs are up to date.",
    ],
)
def test_a_report_of_work_done_is_no_fact(report: str) -> None:
    assert proposed("P: Set up a small invoicing service that is up and running.", f"R: {report}") == ()


def test_a_use_case_is_nothing_that_is_used() -> None:
    assert proposed("P: Write the use case for sending invoices.") == ()


def test_to_name_a_value_is_not_to_state_it() -> None:
    (found,) = proposed("P: How well does Redis fit here?", "R: The cache is Redis.")
    assert (found.value, found.standing) == ("Redis", Standing.MODEL)


def test_work_done_makes_an_agents_word_no_persons() -> None:
    (found,) = proposed(
        "P: The cache needs an overhaul, Valkey or not.",
        "O: Edit | cache.py | ok",
        "R: Replaced Redis with Valkey for the cache.",
    )
    assert (found.value, found.replaces, found.standing) == ("Valkey", "Redis", Standing.MODEL)


def test_what_the_person_states_stands_for_both() -> None:
    asked, told = proposed("P: Use Redis for the cache.", "R: The cache is Redis.")
    assert (asked.standing, told.standing) == (Standing.PERSON, Standing.PERSON)


def test_another_slot_is_another_claim() -> None:
    found = proposed("P: Use Redis for the cache.", "R: The message queue is Redis.")
    assert [(p.slot.subject, p.standing) for p in found] == [
        ("cache", Standing.PERSON),
        ("message queue", Standing.MODEL),
    ]
