"""Each agent's payloads (its fixture file) against the envelopes they must give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.config import HookConfig
from capture.envelope import decode
from capture.event import Call, Event
from capture.policy import Policy
from hooks import run

FIXTURES = Path(__file__).parents[2] / "fixtures" / "hooks"
TIME = 1_796_000_000.5
IDENT = "01a22c70-1f99-7567-93c4-7a5761d3dbe3"


def cases() -> list[Any]:
    return [
        pytest.param(path.stem, case, id=f"{path.stem}: {case['name']}")
        for path in sorted(FIXTURES.glob("*.json"))
        for case in json.loads(path.read_text("utf-8"))
    ]


def envelopes(agent: str, payload: object, config: HookConfig | None = None) -> list[dict[str, Any]]:
    raw = json.dumps(payload, ensure_ascii=False).encode()
    events = run.adapter(agent).read([], raw)
    sealed = run.seal(events, config or HookConfig("local", "/nowhere"), lambda: IDENT, lambda: TIME)
    return [decode(one.line) for one in sealed]


@pytest.mark.parametrize(("agent", "case"), cases())
def test_a_payload_gives_its_envelope(agent: str, case: dict[str, Any]) -> None:
    found = envelopes(agent, case["payload"])
    expected = case["expect"]
    if expected is None:
        assert found == []
        return
    (envelope,) = found
    head = {"v": 1, "id": IDENT, "at": 1_796_000_000_500, "agent": agent, "origin": "hook", "hv": "0.1.0"}
    payload = case["payload"]
    told = {
        "event": payload["hook_event_name"],
        "session": payload.get("session_id") or payload["conversation_id"],
        "cwd": payload.get("cwd", "/home/u/proj"),
        "project": {"root": "/home/u/proj"},
    }
    turn = payload.get("prompt_id") or payload.get("turn_id") or payload.get("generation_id")
    call = payload.get("tool_use_id")
    assert envelope == {
        **head,
        **told,
        **({"turn": turn} if turn else {}),
        **({"call": call} if call else {}),
        **expected,
    }


def test_the_same_event_twice_differs_in_nothing() -> None:
    case = json.loads((FIXTURES / "claude.json").read_text("utf-8"))[6]["payload"]
    assert envelopes("claude", case) == envelopes("claude", case)


def test_a_subagent_is_dropped_where_the_policy_says_so() -> None:
    case = next(
        one["payload"]
        for one in json.loads((FIXTURES / "claude.json").read_text("utf-8"))
        if "subagent" in (one["expect"] or {})
    )
    for policy, number in ((Policy(subagents=["*"]), 0), (Policy(subagents=["Plan"]), 1)):
        assert len(envelopes("claude", case, HookConfig("local", "/nowhere", policy=policy))) == number


@pytest.mark.parametrize(
    ("policy", "kept"),
    [
        (Policy(tools=["Read"]), False),
        (Policy(tools=["Ed*"]), True),
        (Policy(paths=["src/"]), False),
        (Policy(paths=["*.py", "!a.py"]), True),
        (Policy(projects=["/home/u/*"]), False),
        (Policy(projects=["/home/other/**"]), True),
        (Policy(paths=["*"]), False),
    ],
)
def test_what_a_policy_leaves_out(policy: Policy, kept: bool) -> None:
    case = {
        "session_id": "s",
        "cwd": "/home/u/proj",
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": "/home/u/proj/src/a.py"},
        "tool_use_id": "t",
    }
    assert bool(envelopes("claude", case, HookConfig("local", "/nowhere", policy=policy))) is kept


def test_an_unknown_agent_is_an_import_error() -> None:
    with pytest.raises(ImportError):
        run.adapter("../etc")
    with pytest.raises(ImportError):
        run.adapter("nobody")


PAYLOADS = [
    (path.stem, case["payload"]) for path in FIXTURES.glob("*.json") for case in json.loads(path.read_text())
]
SIGNS = st.text(st.characters(codec="utf-8"), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | SIGNS
    | st.sampled_from([-(1 << 31), 1 << 31, 1 << 63]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SIGNS, inner, max_size=3),
    max_leaves=5,
)


@given(st.data())
def test_what_a_hook_makes_of_any_payload_is_an_envelope(data: st.DataObject) -> None:
    agent, payload = data.draw(st.sampled_from(PAYLOADS))
    changed = dict(payload)
    for name in data.draw(st.lists(st.sampled_from(sorted(payload)), max_size=3)):
        inner = changed[name]
        if isinstance(inner, dict) and inner:
            changed[name] = {**inner, data.draw(st.sampled_from(sorted(inner))): data.draw(VALUES)}
        else:
            changed[name] = data.draw(VALUES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hooks.run._cwd", lambda: None)
        envelopes(agent, changed)  # which decodes each


@pytest.mark.parametrize("code", [-(1 << 31), (1 << 31) - 1, 1 << 31, 3221225477, 99999999999])
def test_an_exit_code_no_row_can_hold_is_left_out(code: int) -> None:
    call = Call("Bash", command="make", exit=code, ms=code)
    (sealed,) = run.seal(
        [Event("codex", "PostToolUse", "tool", cwd="/nowhere", tool=call)], HookConfig("local", "/nowhere")
    )
    body = decode(sealed.line)["body"]
    assert isinstance(body, dict)
    assert body.get("exit") == body.get("ms") == (code if code < 1 << 31 else None)
