from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.envelope import MOST_BYTES, decode, encode
from capture.errors import CaptureError, MalformedEnvelope, OversizedEnvelope, UnknownVersion
from capture.ids import new_id

GOOD: dict[str, Any] = {
    "v": 1,
    "id": "01a22c70-1f99-7567-93c4-7a5761d3dbe3",
    "at": 1_796_000_000_000,
    "agent": "claude",
    "origin": "hook",
    "kind": "prompt",
    "body": {"text": "hi"},
}


def test_what_is_encoded_is_decoded() -> None:
    line = encode({**GOOD, "body": {"text": "päng\n\u2028 \ud800 \U0001f600"}})
    assert b"\n" not in line
    assert decode(line)["body"] == {"text": "päng\n\u2028 ? \U0001f600"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"id": "x"}, "id is not a UUID"),
        ({"id": "01A22C70-1F99-7567-93C4-7A5761D3DBE3"}, "id is not a UUID"),
        ({"at": True}, "at is not a time"),
        ({"at": -1}, "at is not a time"),
        ({"at": 1 << 60}, "at is not a time"),
        ({"agent": "a b"}, "agent is 'a b'"),
        ({"agent": 5}, "agent is 5"),
        ({"kind": "nothing"}, "kind is 'nothing'"),
        ({"origin": None}, "origin is None"),
        ({"session": 5}, "session is not a string"),
        ({"session": "x" * 300}, "session is longer than 200"),
        ({"project": []}, "project is not an object"),
        ({"body": "text"}, "body is not an object"),
    ],
)
def test_each_wrong_key_is_named(change: dict[str, Any], why: str) -> None:
    with pytest.raises(MalformedEnvelope, match=why):
        decode(json.dumps({**GOOD, **change}).encode())


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000])
def test_what_is_no_object_is_malformed(line: bytes) -> None:
    with pytest.raises(MalformedEnvelope):
        decode(line)


@pytest.mark.parametrize("version", [None, 0, 2, "1", True])
def test_other_versions_are_told_apart(version: object) -> None:
    with pytest.raises(UnknownVersion, match="reads version 1"):
        decode(json.dumps({**GOOD, "v": version}).encode())


def test_the_size_is_a_limit_both_ways() -> None:
    with pytest.raises(OversizedEnvelope, match="above the limit of 262144"):
        encode({**GOOD, "body": {"text": "x" * MOST_BYTES}})
    with pytest.raises(OversizedEnvelope):
        decode(b" " * (MOST_BYTES + 1))


def test_an_unknown_key_is_kept() -> None:
    assert decode(encode({**GOOD, "later": 1}))["later"] == 1


@given(st.binary(max_size=200))
def test_any_bytes_are_an_envelope_or_one_of_our_errors(line: bytes) -> None:
    with contextlib.suppress(CaptureError):
        decode(line)


def test_ids_sort_by_time() -> None:
    ids = [new_id(ms) for ms in (1, 2, 1_796_000_000_000)]
    assert ids == sorted(ids)
    assert {one[14] for one in ids} == {"7"}
