"""The worker's net over events: every text is searched, or is as a whole an identifier that no rule would touch."""

from __future__ import annotations

import random
import string
from datetime import UTC, datetime
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from capture.net import second_net, second_net_value
from schema.ids import recognised
from workers.incoming import Incoming
from workers.net import clean

LETTERS = st.text(alphabet=string.ascii_letters + string.digits, min_size=24, max_size=24)
IDENTIFIERS = st.one_of(
    st.uuids().map(str),
    st.tuples(st.uuids(), st.binary(min_size=6, max_size=6)).map(lambda one: f"{one[0]}~{one[1].hex()}"),
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


TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["hunter2hunter2", "correct horse", "src/app.py", "pytest -q", "a\x00b", "Zx9#kQ2!vLm8"]),
    st.uuids().map(lambda one: "ghp_" + one.hex + "abcd"),
)
NAMES = st.sampled_from(["password", "text", "tool", "server", "shape", "api_key", "token", "files"])
VALUES = st.recursive(
    st.one_of(TEXTS, st.none(), st.booleans(), st.integers(-(10**12), 10**12)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(NAMES, TEXTS), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=300)
@given(st.dictionaries(st.one_of(NAMES, TEXTS), VALUES, max_size=4))
def test_kept_verdicts_change_nothing(body):
    """What is judged string by string, and remembered, comes out as the walk over the whole has it."""
    whole, hits = second_net_value(body)
    for _ in range(2):
        event = _event(body=body)
        clean([event])
        assert event.body == _without_nul(whole)
        assert event.caught == hits


def _without_nul(value):
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd")
    if isinstance(value, dict):
        return {_without_nul(name): _without_nul(held) for name, held in value.items()}
    return [_without_nul(held) for held in value] if isinstance(value, list) else value
