"""Sentences that say that a value is left, and sentences that only name it beside a word of change."""

from __future__ import annotations

import pytest

from distill.departures import MARK, leaves, may_leave
from distill.inflection import any_form, any_participle, forms


@pytest.mark.parametrize(
    "said",
    [
        "we got rid of X in March",
        "X has been shelved",
        "nobody uses X any more",
        "we hopped from X to something else",
        "X had to go",
        "they finally switched X off",
        "the team turned its back on X",
        "X's licence was not renewed",
        "no X left anywhere",
        "we are on something else, not X",
        "Expel X",
        "now that X is gone the tests are faster",
        "X -> Y",
        "phased out X, at last",
        "goodbye X",
    ],
)
def test_what_tells_that_a_value_is_left(said: str) -> None:
    assert leaves(said.replace("X", MARK))


@pytest.mark.parametrize(
    "said",
    [
        "X is slow today",
        "we are not leaving X",
        "we never got rid of X",
        "drop the X call in the loop",
        "the X theme was replaced",
        "X dropped two messages",
        "X dropped to 5 requests a second",
        "no plans to get off X",
        "if we ditch X we lose the logs",
        "should we retire X",
        "I removed X on my laptop by accident",
        "nobody said that we leave X",
        "X no longer groups these two",
        "X removed the field we need",
        "X stays, we only upgrade it",
        "the X-client is gone",
        "we chose X over Y",
        "X ran out of memory",
        "rumour has it that we drop X",
        "X is out of date",
        "we almost replaced X",
    ],
)
def test_what_only_names_a_value_beside_a_word_of_change(said: str) -> None:
    assert not leaves(said.replace("X", MARK))


def test_a_sentence_without_a_word_of_ending_is_not_looked_at() -> None:
    assert not may_leave("the build is green")
    assert may_leave("we ditched it")


@pytest.mark.parametrize(
    ("verb", "every"),
    [
        ("drop", {"drop", "drops", "dropped", "dropping"}),
        ("bury", {"bury", "buries", "buried", "burying"}),
        ("leave", {"leave", "leaves", "left", "leaving"}),
        ("ditch", {"ditch", "ditches", "ditched", "ditching"}),
        ("replace", {"replace", "replaces", "replaced", "replacing"}),
        ("cancel", {"cancel", "cancels", "cancell?ed", "cancell?ing"}),
    ],
)
def test_the_forms_of_a_verb(verb: str, every: set[str]) -> None:
    assert set(forms(verb).split("|")) == every


def test_several_verbs_at_once() -> None:
    assert any_participle("take jump_ship") == "taken|jumped ship"
    assert "cutting over" in any_form("cut_over").split("|")
