"""Who asks for a reason, and what gives one."""

from __future__ import annotations

import pytest

from recall.reasons import asks_why, gives_reason


@pytest.mark.parametrize(
    "question", ["why did we choose Postgres?", "reason for Redis", "How come we use uv?"]
)
def test_asked(question: str) -> None:
    assert asks_why(question)


@pytest.mark.parametrize("question", ["which database do we use?", "what is the rate limit for reads?"])
def test_not_asked(question: str) -> None:
    assert not asks_why(question)


@pytest.mark.parametrize(
    "text",
    [
        "Database: Postgres, because several clerks write at once.",
        "We use uv, since it is fast.",
        "Keep it in one file so that it can be copied.",
        "We moved to Valkey, as the licence changed.",
    ],
)
def test_given(text: str) -> None:
    assert gives_reason(text)


@pytest.mark.parametrize(
    "text",
    ["Orders: Postgres.", "We use uv since yesterday.", "It is as fast as before.", "So far, so good."],
)
def test_not_given(text: str) -> None:
    assert not gives_reason(text)
