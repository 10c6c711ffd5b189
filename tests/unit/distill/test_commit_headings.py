"""What stands before the colon of a commit's first line is a place, not a value."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from distill.offline.sayings import of_commit
from schema.records import Commit


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Auth: tokens now expire after 15 minutes", "tokens now expire after 15 minutes"),
        ("fix(api)!: use the right index for orders", "use the right index for orders"),
        ("Database: Postgres", "Database: Postgres"),
        (
            "We use three things: one for logs, one for metrics",
            "We use three things: one for logs, one for metrics",
        ),
    ],
)
def test_the_heading_is_left_out(message: str, said: str):
    commit = Commit(id="c", sha="a" * 40, message=message, at=datetime(2026, 1, 1, tzinfo=UTC))
    assert [saying.text for saying in of_commit(commit, None)] == [said]


def said(message: str) -> list[tuple[str, str]]:
    commit = Commit(id="c", sha="a" * 40, message=message, at=datetime(2026, 1, 1, tzinfo=UTC))
    return [(saying.text, saying.mood.value) for saying in of_commit(commit, None)]


def test_a_sentence_that_was_broken_to_fit_is_one():
    body = (
        "Decision: raw hits of the collector are deleted after 90 days\nbecause of the privacy policy.\n"
        "Decision: whole days are kept for two years\n\n- a list whose first item is long enough to be broken in two\n"
        "- another item\n\nSigned-off-by: A <a@shop.example>"
    )
    assert [text for text, _ in said(f"Keep less\n\n{body}")] == [
        "Keep less",
        "raw hits of the collector are deleted after 90 days because of the privacy policy.",
        "whole days are kept for two years",
        "a list whose first item is long enough to be broken in two",
        "another item",
    ]


@pytest.mark.parametrize(
    ("message", "mood"),
    [
        ("Keep lines short", "stated"),
        ("Always close the files of a reader", "ruled"),
        ("Prefer one reader everywhere", "stated"),
        ("Convention: always close the files of a reader", "ruled"),
    ],
)
def test_a_subject_tells_what_was_done_and_is_no_rule_unless_it_says_so(message: str, mood: str):
    assert [found for _, found in said(message)] == [mood]


def test_a_rule_in_the_body_is_one():
    assert said("Close files\n\nAlways close the files of a reader.")[1][1] == "ruled"
