from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.glob import covers, matches
from capture.paths import join, normal, parent, slashes, within


@pytest.mark.parametrize(
    ("base", "path", "joined"),
    [
        ("/a/b", "c.py", "/a/b/c.py"),
        ("/a/b", "../c.py", "/a/c.py"),
        ("/a/b", "/x/./y//z", "/x/y/z"),
        ("/a", "../../../etc/passwd", "/etc/passwd"),
        ("/a", "C:\\work\\x.py", "C:/work/x.py"),
        ("C:/work", "src\\x.py", "C:/work/src\\x.py"),
    ],
)
def test_join(base: str, path: str, joined: str) -> None:
    assert join(base, path) == joined


def test_within() -> None:
    assert within("/a/b/c.py", "/a/b") == "c.py"
    assert within("/a/bc/d.py", "/a/b") is None
    assert within("/a/b", "/a/b") == "."
    assert within("/x", "/") == "x"


def test_slashes_and_parent() -> None:
    assert slashes("D:\\x\\y") == "D:/x/y"
    assert slashes("a\\b") == "a\\b"
    assert (parent("/a/b"), parent("/a"), parent("/")) == ("/a", "/", "/")


@given(st.text(alphabet="ab./", max_size=40))
def test_normal_twice_is_once(path: str) -> None:
    assert normal(normal(path)) == normal(path)


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.key", "deep/down/x.key", True),
        ("secrets/", "secrets/a/b.txt", True),
        ("secrets/", "other/secrets/b.txt", True),
        ("/secrets", "other/secrets", False),
        ("docs/*.md", "docs/a.md", True),
        ("docs/*.md", "docs/sub/a.md", False),
        ("docs/**/*.md", "docs/sub/deep/a.md", True),
        ("docs/**/*.md", "docs/a.md", True),
        ("?.py", "a.py", True),
        ("?.py", "ab.py", False),
        ("", "a.py", False),
    ],
)
def test_patterns_cover_paths(pattern: str, path: str, fits: bool) -> None:
    assert covers(pattern, path) is fits


def test_a_hostile_pattern_stays_quick() -> None:
    assert not matches("*a" * 40 + "b", "a" * 400)
