"""What a scripted model answers: a list of turns for each prompt it may be asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_BRIEF = re.compile(r"<limbeck-memory.*?</limbeck-memory[^>]*>", re.DOTALL)  # it may tell of earlier prompts


@dataclass(frozen=True)
class Found:
    """A value that the model reads in what its tools answered: the last text that ``pattern`` has in brackets."""

    pattern: str
    number: bool = False

    def read(self, answers: str) -> str | int:
        """Return the value in ``answers``; it must be there."""
        said = re.findall(self.pattern, answers)
        assert said, (self.pattern, answers)
        return int(said[-1]) if self.number else str(said[-1])


@dataclass(frozen=True)
class Call:
    """One tool call. ``namespace`` and ``text`` are Codex's: a namespaced tool, a tool that takes plain text.

    A ``Found`` among the arguments becomes what the tools answered before.
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    namespace: str = ""
    text: str | None = None

    def given(self, answers: str) -> dict[str, Any]:
        """Return the arguments, with what is to be found in ``answers``."""
        return {
            key: value.read(answers) if isinstance(value, Found) else value
            for key, value in self.arguments.items()
        }


Turn = Sequence[Call] | str  # calls, or a text that ends the turn
Script = Mapping[str, Sequence[Turn]]


@dataclass(frozen=True)
class Said:
    """One thing of the conversation so far: a person's ``text``, or how many ``calls`` the model made."""

    text: str = ""
    calls: int = 0


def done(prompt: str) -> str:
    """The last answer to ``prompt``; in capitals, so that quoting it is not asking it again."""
    return f"DONE: {prompt.upper()}"


def answer(script: Script, conversation: Sequence[Said]) -> tuple[Sequence[Call], str]:
    """Return the next turn's calls (none: the turn is over) and the text to say with them.

    The last prompt of the script that occurs in the conversation decides; the model's answers since then tell how
    many of its turns have been played, so that the server keeps no state and a resumed session goes on.
    """
    prompt, played = "", 0
    for said in conversation:
        words = _BRIEF.sub("", said.text)
        found = next((known for known in script if known in words), None)
        if found is not None:
            prompt, played = found, 0
        elif said.calls:
            played += 1
    turns = script.get(prompt, ())
    if played < len(turns):
        turn = turns[played]
        return ((), turn) if isinstance(turn, str) else (turn, "")
    return (), done(prompt)
