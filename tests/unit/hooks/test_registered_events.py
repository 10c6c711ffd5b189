"""Which events are asked for, and which are understood: a hook never costs an event that it would drop."""

from __future__ import annotations

from importlib import import_module

import pytest

# The least that tells a session whole. Events before a tool call would double what a call costs.
ASKED = {
    "claude": (
        "SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "SubagentStop", "PostCompact", "Stop",
        "SessionEnd",
    ),
    "codex": (
        "SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStop", "Stop", "Interrupt", "SessionEnd",
    ),
    "gemini": ("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"),
    "cursor": (
        "sessionStart", "beforeSubmitPrompt", "postToolUse", "postToolUseFailure", "afterAgentResponse", "stop",
        "sessionEnd",
    ),
}  # fmt: skip
# Understood where a person or a plugin registers them, or an import replays them, and not asked for.
BESIDE = {"claude": {"StopFailure"}, "codex": {"PostCompact"}}


@pytest.mark.parametrize("agent", ASKED)
def test_exactly_these_events_are_asked_for(agent: str) -> None:
    entry = import_module(f"hooks.{agent}.registration").REGISTRATION
    assert sorted(entry.timeouts) == sorted(ASKED[agent])


def test_a_codex_that_ends_waits_for_no_more_than_three_seconds() -> None:
    entry = import_module("hooks.codex.registration").REGISTRATION
    assert entry.timeouts["SessionEnd"] == 3


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_what_is_asked_for_is_understood(agent: str) -> None:
    readers = import_module(f"hooks.{agent}.adapter")._READERS
    assert set(readers) == {*ASKED[agent], *BESIDE[agent]}
