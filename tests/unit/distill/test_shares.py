"""The language of a tree is told of small ones too; what stands for the whole tree is no file to a reader."""

from __future__ import annotations

import pytest

from distill.code.languages import languages
from schema.facts import TREE, files_of


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ({"Python": 7}, ["Python"]),
        ({"Python": 3}, ["Python"]),
        ({"Python": 2}, []),
        ({"Python": 3, "Go": 2}, ["Python"]),
        ({"Python": 2, "Go": 2, "Rust": 1}, []),
    ],
)
def test_three_lines_are_enough(lines: dict[str, int], named: list[str]) -> None:
    assert [stated.value for stated in languages(lines)] == named


def test_the_whole_tree_is_no_file() -> None:
    assert files_of([TREE, "app.py"]) == ("app.py",)
