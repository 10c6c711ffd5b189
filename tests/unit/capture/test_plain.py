"""The cheap look and redaction must agree: what is called plain, redaction leaves as it is."""

from __future__ import annotations

import random
import string
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.plain import plain
from capture.redact import (
    redact,
    tokens_clouds,
    tokens_forges,
    tokens_inner,
    tokens_models,
    tokens_services,
)

TABLES = (tokens_models.ROWS, tokens_forges.ROWS, tokens_clouds.ROWS, tokens_services.ROWS, tokens_inner.ROWS)
LITERALS = sorted({literal for table in TABLES for row in table for literal in row[1]})
WORDS = [
    "user",
    "service",
    "Test",
    "auth",
    "token",
    "secret",
    "key",
    "password",
    "config",
    "main",
    "app",
    "README",
    "Makefile",
    "pyproject",
    "data",
    "api",
    "v2",
    "py311",
    "src",
    "lib",
    "deploy",
    "prod",
    "UserService",
    "LoginTest",
    "HTTP",
    "x8k29a",
    "2026",
    "11",
    "tmpk2j3h4",
    "a",
    "b1",
]


@pytest.mark.parametrize(
    "text",
    [
        "/home/u/project",
        "src/app/UserService.ts",
        "tests/unit/test_user.py",
        "be3f8a32-32fd-47b2-82f4-318cf680c404",
        "toolu_01A09q90qw90lq917835",
        "PostToolUse",
        "github.com/team/project",
        "git commit -m _; pytest -q tests/unit",
        "/tmp/pytest-of-root/pytest-0/test_x0",
    ],
)
def test_ordinary_strings_are_plain(text: str) -> None:
    assert plain([text])
    assert redact(text) == (text, {})


@pytest.mark.parametrize(
    "text", ["a=b", "password is x", "user:pass", "Пароль", "x" * 30, "a1b2c3d4e5f6a7b8"]
)
def test_what_redaction_should_see_is_not_plain(text: str) -> None:
    assert not plain([text])


pieces = st.one_of(
    st.sampled_from(WORDS),
    st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=16),
    st.text("abcdef" + string.digits, min_size=8, max_size=12),
    st.sampled_from(LITERALS),
)


@given(st.lists(st.tuples(pieces, st.sampled_from("//--__.. ")), min_size=1, max_size=9))
def test_what_is_plain_is_left_by_redaction(parts: list[tuple[str, str]]) -> None:
    text = "".join(piece + sign for piece, sign in parts)
    if plain([text]):
        assert redact(text) == (text, {})


@pytest.mark.parametrize("literal", LITERALS)
def test_no_typed_token_is_plain(literal: str) -> None:
    rng = random.Random(literal)
    alphabets = ("abcdef0123456789", string.ascii_lowercase + string.digits, "aeioustrlnm")
    for turn in range(90):
        runs = [
            "".join(rng.choice(alphabets[turn % 3]) for _ in range(rng.choice((8, 10, 11))))
            for _ in range(rng.randint(1, 6))
        ]
        text = literal + rng.choice(("", "-", "_", "/", ".")).join(runs)
        if plain([text]):
            assert redact(text) == (text, {}), "name how it begins in capture.plain._STARTS"


@given(st.uuids())
def test_a_uuid_is_plain(value: uuid.UUID) -> None:
    assert plain([str(value)])
