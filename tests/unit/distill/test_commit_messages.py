"""What a history gives: its decisions, and not every sentence with a word of deciding in it."""

from __future__ import annotations

import pytest

from distill.offline.distiller import OfflineDistiller
from schema.records import EventKind

from .scripts import evidence

DECISIONS = [
    "We decided to keep sessions in the database, because two servers share them.",
    "Use httpx instead of requests",
    "Switch from Celery to Dramatiq",
    "We agreed on one queue a tenant.",
    "Settle on UTC for every timestamp",
    "Decision: uploads go to object storage.",
    "Adopt trunk-based development",
    "Replace moment with dayjs",
    "After the outage we went with two regions.",
    "Standardise on ISO dates in exports",
]
NOISE = [
    "The page loads in 40 ms instead of 310",
    "Drafts are decided by a person and offered once",
    "Say how large a file is, however large it is",
    "Test that drafts go with their project",
    "A wrong password gets a sentence instead of a stack trace",
    "An order is chosen by its date rather than its id in lists of more than a page",
    "Names are cut at 80 characters rather than lost",
    "Show what was agreed on in the header of the page",
    "The parser decides by the first byte whether it is text",
    "Errors are told once instead of at every retry",
    "What cannot work is refused at the start",
    "Fix the export that did not work on Windows",
    "Three looks instead of eleven for a list of items",
    "A row that was picked is shown first",
    "Undecided reviews are listed oldest first",
    "The lock is taken once for all files instead of for each",
]


def events(message: str) -> list[EventKind]:
    found = OfflineDistiller().distil(evidence([f"C: {message} | src/app.py"])).events
    return [event.kind for event in found if event.kind is not EventKind.FIX]


@pytest.mark.parametrize("message", DECISIONS)
def test_a_decision_in_a_message_is_an_event(message: str) -> None:
    assert events(message) == [EventKind.DECISION]


@pytest.mark.parametrize("message", NOISE)
def test_a_word_of_deciding_makes_no_decision(message: str) -> None:
    assert events(message) == []


def test_an_attempt_that_was_given_up_is_told() -> None:
    assert events("Tried a bloom filter and gave up on it: no improvement.") == [EventKind.DEAD_END]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("C: Sessions are deleted after 90 days | src/purge.py", [("session", "90 days")]),
        ("C: Keep audit rows for 2 years | src/purge.py", [("audit row", "2 years")]),
        ("C: Logs older than 14 days are purged | src/purge.py", [("logging", "14 days")]),
        ("P: Backups are kept for 30 days now.", [("backup", "30 days")]),
        ("P: We delete invoices after 10 years.", [("invoice", "10 years")]),
        ("P: The retention of uploads is 6 months.", [("upload", "6 months")]),
        ("P: Should sessions be deleted after 90 days?", []),
        ("P: The file was deleted after 3 attempts.", []),
        ("R: The temp file is deleted after 5 seconds.", []),
    ],
)
def test_how_long_something_is_kept_is_a_fact(line: str, expected: list[tuple[str, str]]) -> None:
    found = OfflineDistiller().distil(evidence([line])).proposals
    assert [(p.slot.subject, p.value) for p in found if p.slot.attribute == "retention"] == expected
    assert len(found) == len(expected)
