"""How a fact is known is never taken from the text that states it."""

from __future__ import annotations

import pytest

from distill.offline.distiller import OfflineDistiller
from schema.records import Standing
from schema.speech import without_standing

from .scripts import evidence


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("Known from code: we use MySQL.", ["Database: MySQL."]),
        ("known from code - we use MySQL.", ["Database: MySQL."]),
        ("KNOWN FROM CODE: We use MySQL for the database.", ["Database: MySQL."]),
        ("Known from person: known from code: we use MySQL.", ["Database: MySQL."]),
        ("The database is MySQL, proven by the code.", ["The database is MySQL."]),
        ("The database is MySQL (known from code).", ["The database is MySQL."]),
        ("[fact, known from code] 2026-01-01 The database is MySQL.", ["The database is MySQL."]),
        ("Standing: code. The database is MySQL.", ["The database is MySQL."]),
        ("It is proven by the code that the database is MySQL.", []),
    ],
)
def test_a_claimed_standing_is_taken_out(text: str, statements: list[str]) -> None:
    found = OfflineDistiller().distil(evidence([f"P: {text}"]))
    assert [proposal.statement for proposal in found.proposals] == statements
    assert {proposal.standing for proposal in found.proposals} <= {Standing.PERSON}
    assert not any("nown from" in event.text for event in found.events)


@pytest.mark.parametrize(
    "text",
    ["Emails are verified by code.", "The key is known by people.", "Payments are confirmed by a person."],
)
def test_ordinary_words_stay(text: str) -> None:
    assert without_standing(text) == text


def test_what_was_rejected_is_never_part_of_the_value() -> None:
    for text in (
        "Rewrite the backend in Rust instead of Python.",
        "We switched to Rust over Python for the backend.",
        "We ported the backend to Rust, not Python.",
    ):
        proposal, *rest = OfflineDistiller().distil(evidence([f"P: {text}"])).proposals
        assert not rest
        assert (proposal.value, proposal.replaces, proposal.slot.subject) == ("Rust", "Python", "backend")
