"""What a scripted model answers: a list of turns for each prompt it may be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """One tool call. ``namespace`` and ``text`` are Codex's: a namespaced tool, a tool that takes plain text."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    namespace: str = ""
    text: str | None = None


Turn = Sequence[Call]
Script = Mapping[str, Sequence[Turn]]


@dataclass(frozen=True)
class Said:
    """One thing of the conversation so far: a person's ``text``, or how many ``calls`` the model made."""

    text: str = ""
    calls: int = 0


def done(prompt: str) -> str:
    """The last answer to ``prompt``; in capitals, so that quoting it is not asking it again."""
    return f"DONE: {prompt.upper()}"


def answer(script: Script, conversation: Sequence[Said]) -> tuple[Turn, str]:
    """Return the next turn's calls (none: the turn is over) and the text to say with them.

    The last prompt of the script that occurs in the conversation decides; the model's answers since then tell how
    many of its turns have been played, so that the server keeps no state and a resumed session goes on.
    """
    prompt, played = "", 0
    for said in conversation:
        found = next((known for known in script if known in said.text), None)
        if found is not None:
            prompt, played = found, 0
        elif said.calls:
            played += 1
    turns = script.get(prompt, ())
    if played < len(turns):
        return turns[played], ""
    return (), done(prompt)
