from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.envelope import KINDS, MOST_BYTES, decode, encode
from capture.errors import CaptureError, MalformedEnvelope, OversizedEnvelope, UnknownVersion
from capture.fields import BODY, HEAD
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
        ({"agent": "a b"}, "agent is a string of 3 characters, not a name"),
        ({"agent": 5}, "agent is a number, not a name"),
        ({"kind": "nothing"}, "kind is a string of 7 characters, not one of"),
        ({"kind": ["x"]}, "kind is a list of 1 entries, not one of"),
        ({"origin": None}, "origin is null, not one of"),
        ({"session": 5}, "session is not a string"),
        ({"session": "x" * 300}, "session is longer than 200"),
        ({"project": []}, "project is not an object"),
        ({"body": "text"}, "body is not an object"),
    ],
)
def test_each_wrong_key_is_named(change: dict[str, Any], why: str) -> None:
    with pytest.raises(MalformedEnvelope, match=why):
        decode(json.dumps({**GOOD, **change}).encode())


FIELDS = [
    ({"hv": ""}, "hv is a string of 0"),
    ({"hv": "1.0 "}, "hv is a string of 4"),
    ({"hv": "1" * 33}, "hv is a string of 33"),
    ({"project": {"remote": 5}}, "project is an object of 1 keys, not an object of strings"),
    ({"project": {"id": []}}, "project is"),
    ({"subagent": {"id": {}}}, "subagent is"),
    ({"redactions": {"github-token": "1"}}, "redactions is"),
    ({"redactions": {"github-token": True}}, "redactions is"),
    ({"redactions": {"github-token": 1 << 31}}, "redactions is"),
    ({"redactions": {"Token": 1}}, "redactions is"),
    ({"redactions": {"": 1}}, "redactions is"),
    ({"redactions": {"a" * 65: 1}}, "redactions is"),
    *[
        ({"body": {name: 5}}, rf"body\.{name} is a number, not a string")
        for name in (
            "text", "title", "source", "reason", "trigger", "model", "tool", "target", "shape", "server",
            "message", "sha", "branch", "author", "how",
        )
    ],
    *[
        ({"body": {name: value}}, rf"body\.{name} is .*, not a whole number of 32 bits")
        for name in ("chars", "exit", "ms")
        for value in ("5", True, 1.5, 1 << 31, -(1 << 31) - 1, [])
    ],
    ({"body": {"committed": 1 << 48}}, "not a time"),
    *[
        ({"body": {name: 1}}, rf"body\.{name} is a number, not true or false")
        for name in ("cut", "machine", "squash", "enriched")
    ],
    ({"body": {"outcome": "fine"}}, "body.outcome is a string of 4 characters"),
    ({"kind": "tool", "body": {"files": [{"path": "a"}]}}, "not a list of strings"),
    ({"kind": "tool", "body": {"files": "a"}}, "not a list of strings"),
    ({"kind": "commit", "body": {"files": ["a"]}}, "not a list of changed files"),
    ({"kind": "commit", "body": {"files": [{}]}}, "not a list of changed files"),
    ({"kind": "commit", "body": {"files": [{"path": "a", "added": "1"}]}}, "not a list of changed files"),
    ({"body": {"parents": [1]}}, "body.parents is"),
    ({"body": {"manifests": [{"text": "x"}]}}, "body.manifests is"),
    ({"body": {"manifests": [{"path": "a", "text": 5}]}}, "body.manifests is"),
    ({"body": {"languages": {"Go": "5"}}}, "body.languages is"),
    ({"body": {"languages_before": [1]}}, "body.languages_before is"),
    ({"body": {"pairs": [["a"]]}}, "body.pairs is"),
    ({"body": {"pairs": [["a", 1]]}}, "body.pairs is"),
    ({"body": {"calls": [{"call": "a"}]}}, "body.calls is"),
    ({"body": {"calls": [{"call": "a", "outcome": []}]}}, "body.calls is"),
    ({"body": {"calls": [{"call": "a", "outcome": "ok", "exit": 1 << 31}]}}, "body.calls is"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "why"), FIELDS)
def test_a_field_of_another_type_is_named(change: dict[str, Any], why: str) -> None:
    with pytest.raises(MalformedEnvelope, match=why):
        decode(json.dumps({**GOOD, **change}).encode())


@pytest.mark.parametrize(
    "change",
    [
        {"project": {"root": "/a", "remote": None, "later": 5}},
        {"body": {"text": None, "later": {"x": [1]}}},
        {"kind": "commit", "body": {"files": [{"path": "a", "added": None, "deleted": 3}, {"path": "b"}]}},
        {"body": {"manifests": [{"path": "a", "text": None}]}},
        {
            "body": {
                "calls": [{"call": "a", "outcome": "ok", "exit": None}, {"call": "b", "outcome": "unknown"}]
            }
        },
        {"body": {"exit": -(1 << 31), "ms": (1 << 31) - 1, "committed": (1 << 48) - 1}},
        {"redactions": {"github-token": 3}, "hv": "1.2.3-rc1+x"},
    ],
)
def test_what_is_absent_null_or_later_is_no_fault(change: dict[str, Any]) -> None:
    assert decode(json.dumps({**GOOD, **change}).encode()) == {**GOOD, **change}


def test_nesting_has_an_end() -> None:
    def nested(levels: int) -> bytes:
        inner: Any = "x"
        for _ in range(levels):
            inner = [inner]
        return json.dumps({**GOOD, "later": inner}).encode()

    decode(nested(31))
    for levels in (32, 400, 900):
        with pytest.raises(MalformedEnvelope, match=r"32 levels|not JSON"):
            decode(nested(levels))


@pytest.mark.parametrize(
    "change",
    [
        *[{name: "SECRETVALUE"} for name in ("v", "id", "at", "origin", "kind", "project", "body")],
        {"agent": "SECRETVALUE x"},
        {"hv": "SECRETVALUE x"},
        {"session": "SECRETVALUE" * 30},
        {"redactions": {"SECRETVALUE": 1}},
        {"body": {"chars": "SECRETVALUE"}},
        {"body": {"SECRETVALUE": 1, "outcome": "SECRETVALUE"}},
        {"v": 4_111_111_111},
    ],
)
def test_no_value_is_in_the_reason(change: dict[str, Any]) -> None:
    with pytest.raises(CaptureError) as told:
        decode(json.dumps({**GOOD, **change}).encode())
    assert "SECRET" not in str(told.value)
    assert "4111" not in str(told.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.sampled_from(KINDS),
    st.dictionaries(
        st.sampled_from([*HEAD, "v", "id", "at", "agent", "origin", "session"]), json_values, max_size=2
    ),
    st.dictionaries(st.sampled_from([*BODY, "files"]), json_values, max_size=3),
)
def test_any_types_are_an_envelope_or_one_of_our_errors(
    kind: str, head: dict[str, object], body: dict[str, object]
) -> None:
    with contextlib.suppress(CaptureError):
        decode(json.dumps({**GOOD, "kind": kind, "body": body, **head}).encode())


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
