"""What a result says is shown once, and the kinds of result are listed in one place."""

from __future__ import annotations

import typing
from dataclasses import replace

import pytest

from limbeck.commands import recall as command
from recall import gather
from recall.answer import Answer
from recall.fence import fenced, worded
from schema.kinds import KINDS
from server.operations.search import Kind
from server.web.pages import recalled

from .test_fence import hit


@pytest.mark.parametrize(
    ("title", "text", "shown"),
    [
        ("We use Flask", "We use Flask.", ("We use Flask.",)),
        ("We use Flask.", "we use  Flask", ("we use  Flask",)),
        ("Why Flask?", "Why Flask", ("Why Flask",)),
        ("", "We use Flask.", ("We use Flask.",)),
        ("We use Flask", "", ("We use Flask",)),
        ("Flask", "We use Flask.", ("Flask", "We use Flask.")),
        (" ", "\n", ()),
    ],
)
def test_the_same_is_shown_once(title: str, text: str, shown: tuple[str, ...]) -> None:
    assert worded(title, text) == shown


def test_the_fence_says_it_once() -> None:
    answer = Answer("q", (replace(hit("We use Flask."), title="We use Flask"),), {})
    assert fenced(answer).count("We use Flask") == 1


def test_every_surface_knows_every_kind() -> None:
    assert "document" in KINDS
    assert typing.get_args(Kind) == gather.KINDS == recalled.KINDS == KINDS
    assert command.KINDS.split(", ") == list(KINDS)
