"""The plugin's one command serves two agents; whose payload it is shows in the payload alone."""

from __future__ import annotations

import json

import pytest

from hooks.payload import Unreadable
from hooks.plugin import adapter

CLAUDE = "/home/u/.claude/projects/-home-u-p/be3f8a32.jsonl"
CODEX = "/home/u/.codex/sessions/2026/11/30/rollout-2026-11-30T10-15-46-01a22bf4.jsonl"


@pytest.mark.parametrize(
    ("payload", "agent"),
    [
        ({"hook_event_name": "SessionStart", "transcript_path": CLAUDE, "source": "startup"}, "claude"),
        ({"hook_event_name": "SessionStart", "transcript_path": CODEX, "source": "startup"}, "codex"),
        (
            {
                "hook_event_name": "SessionStart",
                "transcript_path": CODEX.replace("/", "\\"),
                "source": "resume",
            },
            "codex",
        ),
        ({"hook_event_name": "SessionStart", "transcript_path": None, "source": "startup"}, "codex"),
        (
            {"hook_event_name": "UserPromptSubmit", "prompt_id": "p", "transcript_path": None, "prompt": "x"},
            "claude",
        ),
        (
            {"hook_event_name": "UserPromptSubmit", "turn_id": "t", "transcript_path": CLAUDE, "prompt": "x"},
            "codex",
        ),
        ({"hook_event_name": "SessionEnd", "transcript_path": CODEX, "reason": "other"}, "codex"),
        ({"hook_event_name": "SessionEnd", "transcript_path": CLAUDE, "reason": "other"}, "claude"),
        ({"hook_event_name": "SessionEnd", "reason": "other"}, "claude"),
    ],
)
def test_whose_payload_it_is(payload, agent):
    (event,) = adapter.read([], json.dumps({"session_id": "s", "cwd": "/p"} | payload).encode())
    assert event.agent == agent


def test_garbage_is_refused_as_by_the_others():
    with pytest.raises(Unreadable):
        adapter.read([], b"[1]")
