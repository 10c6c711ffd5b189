"""Phrases that tell a time by a change."""

from __future__ import annotations

import pytest

from recall.anchor import phrase_of


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what did auth use before the migration to JWT?", ("before", "the migration to JWT")),
        ("what broke after we switched to arq", ("after", "we switched to arq")),
        ("errors since the release of 2.0", ("after", "the release of 2")),
        ("check it before merging", None),
        ("what did Ann do after the road trip", None),
        ("before", None),
    ],
)
def test_phrase(question, found):
    phrase = phrase_of(question)
    assert (phrase and phrase[1:]) == found
