"""What a token looks like, and that our own redaction knows one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.redact.engine import redact
from server.tokens.token import Token, new, parse

CLIENTS = st.from_regex(r"[a-z0-9][a-z0-9_.-]{0,62}", fullmatch=True)


@given(CLIENTS)
def test_a_token_is_read_back_whatever_its_client_is_called(client):
    token = new(client)
    assert parse(token.text) == token
    assert parse(f"  {token.text}\n") == token
    assert len(token.hash) == 32


def test_two_tokens_share_nothing():
    one, other = new("acme"), new("acme")
    assert one.id != other.id
    assert one.secret != other.secret
    assert len(bytes.fromhex(one.secret)) == 32


@given(st.text())
def test_no_text_breaks_the_reading(text):
    parsed = parse(text)
    assert parsed is None or parsed.text == text.strip()


def test_a_secret_does_not_show_in_a_representation():
    token = new("acme")
    assert token.secret not in repr(token)


@pytest.mark.parametrize("around", ["{}", "see {} there", '{{"a": "{}"}}', "url?x={}&y=1", "{}\n{}"])
def test_redaction_catches_a_token_wherever_it_stands(around):
    token = Token("my-team.x_1", "0123456789abcdef", new("x").secret)
    cleaned, counts = redact(around.replace("{{", "{").replace("}}", "}").replace("{}", token.text))
    assert token.secret[-12:] not in cleaned
    assert counts
