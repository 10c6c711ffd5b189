"""The bundle and the plain modules: the same bytes for every fixture, and whatever becomes of the bundle."""

from __future__ import annotations

import json
import random
import re
import string
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.hooks.conftest import PYTHON, Hook

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures" / "hooks").glob("*.json"))
ONCE = re.compile(rb'"id":"[0-9a-f-]{36}","at":\d{13}')
HEAVY = {"re", "json", "socket", "enum", "site", "os", "functools", "collections", "typing", "dataclasses"}


def masked(hook: Hook) -> list[bytes]:
    """The spooled lines without what differs from run to run: the event's id and its time."""
    return [ONCE.sub(b'"id":"","at":0', line) for line in hook.lines()]


def payloads(path: Path) -> list[Any]:
    return [case["payload"] for case in json.loads(path.read_text("utf-8"))]


def hard_payloads() -> list[Any]:
    """Prompts that take every way through redaction, with secrets made here and now."""
    rng = random.Random(5)

    def word(alphabet: str, length: int) -> str:
        return "".join(rng.choice(alphabet) for _ in range(length))

    both = string.ascii_letters + string.digits
    texts = [
        "gh" + "p_" + word(both, 36),
        f"password = '{word(both, 20)}' and postgres://app:{word(both, 16)}@db.example.com/main",
        f"-----BEGIN RSA PRIVATE KEY-----\n{word(both + '+/', 64)}\n-----END RSA PRIVATE KEY-----",
        f"curl -H 'Authorization: Bearer {word(both, 40)}' https://example.com/?sig={word(both, 30)}",
        f"Cookie: sessionid={word(both, 32)}; theme=dark",
        "plain words only. " * 4000,
        "päng \ud800 \u202e \x00 " + "\U0001f600" * 50,
        f"<private>{word(both, 20)}</private> and {word('abcdef' + string.digits, 64)}",
    ]
    base = {"session_id": "s-1", "cwd": "/home/u/proj", "hook_event_name": "UserPromptSubmit"}
    made: list[Any] = [{**base, "prompt": text} for text in texts]
    tool = {**base, "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "toolu_1"}
    made += [{**tool, "tool_input": {"command": text}, "tool_response": {"stdout": text}} for text in texts]
    made.append({**tool, "cwd": f"/home/{texts[0]}/x", "tool_input": {"command": f"cat {texts[0]}/a.py"}})
    return made


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_the_same_bytes_for_every_fixture(path: Path, hook: Hook, plain_hook: Hook) -> None:
    for payload in payloads(path):
        hook.run(path.stem, payload)
        plain_hook.run(path.stem, payload)
    assert masked(hook) == masked(plain_hook)
    assert len(masked(hook)) > 4


def test_the_same_bytes_for_hard_payloads(hook: Hook, plain_hook: Hook) -> None:
    for payload in hard_payloads():
        hook.run("claude", payload)
        plain_hook.run("claude", payload)
    assert masked(hook) == masked(plain_hook)
    assert b"REDACTED" in b"".join(masked(hook))


def test_a_bundle_needs_nothing_of_its_source(hook: Hook) -> None:
    stub = Path(hook.command[3])
    stub.write_text(re.sub(r"SOURCE = .*", "SOURCE = '/nowhere'", stub.read_text()))
    for path in FIXTURES:
        for payload in payloads(path):
            hook.run(path.stem, payload)
    kept = sum(
        case["expect"] is not None for path in FIXTURES for case in json.loads(path.read_text("utf-8"))
    )
    assert len(hook.lines()) == kept


def test_a_bundle_loads_no_heavy_module(hook: Hook) -> None:
    command = [str(PYTHON), "-X", "importtime", *hook.command[1:], "claude"]
    for payload in hard_payloads()[:5]:
        done = subprocess.run(command, input=json.dumps(payload).encode(), capture_output=True, check=True)
        loaded = {line.split("|")[-1].strip() for line in done.stderr.decode().splitlines()}
        assert not loaded & HEAVY
    assert len(hook.lines()) == 5


PLACES = [0, 3, 60, 200, 2000, 20_000, 40_000, 80_000, -30_000, -200, -1]


@pytest.mark.parametrize("place", PLACES)
def test_a_bundle_with_one_wrong_byte_is_not_trusted(
    place: int, hook: Hook, plain_hook: Hook, bundle: bytes
) -> None:
    changed = bytearray(bundle)
    changed[place] ^= 0x55
    hook.bundle.write_bytes(changed)
    for payload in hard_payloads()[:4]:
        hook.run("claude", payload)
        plain_hook.run("claude", payload)
    assert masked(hook) == masked(plain_hook)


def test_every_module_of_a_bundle_may_be_broken(hook: Hook, plain_hook: Hook, bundle: bytes) -> None:
    payload = hard_payloads()[1]
    plain_hook.run("claude", payload)
    for step in range(12):
        changed = bytearray(bundle)
        for at in range(25_000 + step * 997, len(changed), 12_000):
            changed[at] ^= 0xFF
        hook.bundle.write_bytes(changed)
        hook.run("claude", payload)
    assert masked(hook) == masked(plain_hook) * 12


@pytest.mark.parametrize("kept", [0, 1, 100, 10_000, 100_000])
def test_a_bundle_that_was_cut_is_not_trusted(kept: int, hook: Hook, bundle: bytes) -> None:
    hook.bundle.write_bytes(bundle[:kept])
    hook.run("claude", hard_payloads()[0])
    assert len(hook.lines()) == 1


def test_a_bundle_for_another_interpreter_is_not_loaded(hook: Hook, bundle: bytes) -> None:
    hook.bundle.write_bytes(b"9" + bundle[1:])
    hook.run("claude", hard_payloads()[0])
    assert len(hook.lines()) == 1


def test_without_bundle_and_source_it_is_still_silent(hook: Hook) -> None:
    stub = Path(hook.command[3])
    stub.write_text(re.sub(r"SOURCE = .*", "SOURCE = '/nowhere'", stub.read_text()))
    hook.bundle.unlink()
    hook.run("claude", hard_payloads()[0])
    assert hook.lines() == []
