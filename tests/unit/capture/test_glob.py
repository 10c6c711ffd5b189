"""Patterns over paths: what is literal in them is looked for first, and changes no answer."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.glob import covers, matches

PATTERNS = st.text("ab/*?.", max_size=8)
PATHS = st.text("ab/.", max_size=10)


def as_regex(pattern: str) -> str:
    """The pattern as a regular expression, written from what the signs mean."""
    signs = re.findall(r"\*\*/|\*\*|.", pattern, re.DOTALL)
    means = {"**/": ".*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(means.get(sign, re.escape(sign)) for sign in signs)


@given(PATTERNS, PATHS)
def test_a_pattern_fits_what_its_signs_mean(pattern, text):
    assert matches(pattern, text) is bool(re.fullmatch(as_regex(pattern), text, re.DOTALL))


@given(PATTERNS, PATHS)
def test_a_path_is_covered_where_a_part_or_what_is_above_it_fits(pattern, path):
    bare = pattern.rstrip("/")
    wanted, parts = bare.lstrip("/"), path.split("/")
    tried = parts if "/" not in bare else ["/".join(parts[: end + 1]) for end in range(len(parts))]
    expected = bool(wanted) and any(re.fullmatch(as_regex(wanted), one) for one in tried)
    assert covers(pattern, path) is expected


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("*.key", "deep/in/a.key", True),
        ("*.key", "a.keys", False),
        ("private/", "private/notes.md", True),
        ("docs/*/x", "docs/a/x/y", True),
        ("docs/*/x", "docs/a/b/x", False),
        ("**/build/**", "build/a", True),
        ("**/build/**", "a/b/build/c", True),
        ("/top", "sub/top", False),
        ("a?c", "x/abc", True),
    ],
)
def test_as_in_a_gitignore(pattern, path, covered):
    assert covers(pattern, path) is covered
