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
