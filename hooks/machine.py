"""Prompts that no person wrote: notes a harness puts where a person's words would stand."""

from __future__ import annotations

STARTS = (
    "<task-notification>", "<local-command-", "<command-name>", "<command-message>", "<system-reminder>",
    "<bash-input>", "<bash-stdout>", "<environment_context>", "<user_instructions>", "<turn_aborted>",
    "<subagent_notification>", "[Request interrupted", "Caveat: The messages below were generated",
)  # fmt: skip
SOURCES = ("user", "sdk")


def machine(prompt: str, source: str | None = None) -> bool:
    """Whether a prompt comes from a machine: by the source an agent names, else by how it begins."""
    if source is not None and source not in SOURCES:
        return True
    return prompt.lstrip().startswith(STARTS)
