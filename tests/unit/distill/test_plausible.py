"""Most sentences of a session are about its code: they look like facts and are none."""

from __future__ import annotations

import pytest

from distill.offline.distiller import OfflineDistiller

from .scripts import evidence


def values(*lines: str) -> list[str]:
    """What a session proposes."""
    return [proposal.value for proposal in OfflineDistiller().distil(evidence(lines)).proposals]


@pytest.mark.parametrize(
    "reply",
    [
        "The fixture is built once per module and shared.",
        "Root cause: the loader returns early.",
        "Task 3: Remove the delay.",
        "handlePostTask: handleClaudePostTask",
        "The merge base is d3a182c.",
        "Line 228: os.Rename overwrites B with A.",
        "Use Plover if you need 3D.",
        "Plover - use Plover for canvas rendering.",
        "The migrations are ported and the tests pass.",
        "Migrations run on start.",
        "checkpoint_count is 0.",
        "The project uses your desired version.",
        "The implementation is solid.",
        "Reverted: email goes through Plover as before.",
        "filter_rows returns None for an empty list.",
        "The consumer reads from Plover.",
    ],
)
def test_what_an_agent_says_of_the_code_is_no_fact(reply: str) -> None:
    assert values("P: go on", f"R: {reply}") == []


@pytest.mark.parametrize(
    "prompt",
    [
        "RangeError: Invalid Date",
        "FAIL: TestHookInstallation",
        "Entire-Strategy: manual-commit",
        "got: Enabled",
        "session: baf3abe9-0e74-40dc-a4f6-c19874d98d38",
        "the docker image is huge",
        "ENT-232: Track the last interaction",
        "never mind, we'll look at it later.",
        "hooks can never be uninstalled through the CLI",
        "I was just using new Date() everywhere.",
        "run the tests",
        "We ship on Monday.",
    ],
)
def test_what_a_person_pastes_or_remarks_is_no_fact(prompt: str) -> None:
    assert values(f"P: {prompt}") == []


def test_a_commit_with_a_conventional_heading_states_no_fact_by_its_type() -> None:
    assert values("P: go on", "C: chore: bump lockfile | package-lock.json") == []


def test_a_text_too_long_to_be_typed_gives_no_rules_and_no_labelled_values() -> None:
    pasted = (
        "Every handler must be idempotent.\nOutput: Ready\nThe cache is Redis.\n"
        + "The loop goes on.\n" * 200
    )
    assert values(f"P: {pasted}") == ["Redis"]


def test_a_summary_of_an_earlier_conversation_is_not_a_persons_word() -> None:
    text = "This session is being continued from a previous conversation.\n\nThe cache is Redis."
    (found,) = OfflineDistiller().distil(evidence([f"P: {text}"])).proposals
    assert (found.value, found.standing) == ("Redis", "model")
