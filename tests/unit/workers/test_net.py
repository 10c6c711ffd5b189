"""The worker's net over events: every text is searched, or is as a whole an identifier that no rule would touch."""

from __future__ import annotations

import random
import string
from datetime import UTC, datetime
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from capture.net import second_net
from workers.incoming import Incoming
from workers.net import clean, recognised

LETTERS = st.text(alphabet=string.ascii_letters + string.digits, min_size=24, max_size=24)
IDENTIFIERS = st.one_of(
    st.uuids().map(str),
    LETTERS.map(lambda tail: f"toolu_01{tail[:22]}"),
    LETTERS.map(lambda tail: f"call_{tail}"),
)


@settings(deadline=None, max_examples=400)
@given(IDENTIFIERS)
def test_the_nets_leave_alone_what_is_recognised(identifier):
    if recognised(identifier):
        assert second_net(identifier) == (identifier, {})


@given(LETTERS)
def test_more_than_an_identifier_is_not_recognised(tail):
    for text in (
        f"call_{tail}x",
        f" call_{tail}",
        f"toolu_01{tail}",
        f"{UUID(int=7)}\n",
        tail,
        f"ghp_{tail}",
    ):
        assert not recognised(text)


def test_a_cloud_key_inside_an_identifier_is_found():
    for family in ("AKIA", "ASIA"):
        key = family + "QX7RZ2WPLM4T9VBD"
        assert not recognised("toolu_01" + "ab" + key)
        assert not recognised("call_" + "abcd" + key)
        (event,) = [_event(call=f"call_abcd{key}")]
        clean([event])
        assert key not in str(event.call)


def test_every_field_that_a_stranger_fills_is_searched():
    token = "ghp_" + "".join(random.Random(5).choices(string.ascii_letters + string.digits, k=36))
    fields = ("session", "turn", "call", "subagent", "subagent_type", "cwd")
    event = _event(
        **dict.fromkeys(fields, token), project={"remote": token}, body={"deep": [{"text": token}]}
    )
    seen = []
    clean([event], lambda: seen.append(1))
    assert token not in repr(event)
    assert sum(event.caught.values()) == 8
    assert seen == [1]


def _event(**fields):
    empty = dict.fromkeys(("session", "turn", "call", "subagent", "subagent_type", "cwd"))
    given = {**empty, "project": {}, "body": {}, **fields}
    at = datetime(2026, 11, 2, tzinfo=UTC)
    return Incoming("1-0", "i", at, None, "claude", "hook", None, "tool", "tool", **given)
