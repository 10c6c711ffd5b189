"""A session's entries as a timeline tells them: what failed and then passed is marked, subagents' work is folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol


class Entry(Protocol):
    """What is needed of an entry."""

    @property
    def kind(self) -> str:
        """exchange, observation or commit."""

    @property
    def role(self) -> str | None:
        """Who speaks in an exchange."""

    @property
    def tool(self) -> str | None:
        """The tool that was called."""

    @property
    def target(self) -> str | None:
        """The file it was called on."""

    @property
    def shape(self) -> str | None:
        """The command's shape."""

    @property
    def outcome(self) -> str | None:
        """How the call ended."""

    @property
    def subagent_type(self) -> str | None:
        """The subagent that did it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One entry and how it is marked: prompt, reply, said, call, failed, passed or commit."""

    entry: Entry
    mark: str


@dataclass(slots=True)
class Fold:
    """What a subagent did, in one."""

    who: str
    steps: list[Step] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """How many of its calls failed."""
        return sum(step.mark == "failed" for step in self.steps)


SPOKEN = {"person": "prompt", "reply": "reply"}


def told(entries: Sequence[Entry]) -> list[Step | Fold]:
    """Return steps and folds in the entries' order; a call passed where the same one failed before."""
    failed: set[tuple[str | None, str | None]] = set()
    found: list[Step | Fold] = []
    for entry in entries:
        step = Step(entry, _mark(entry, failed))
        if entry.subagent_type:
            if not (found and isinstance(found[-1], Fold) and found[-1].who == entry.subagent_type):
                found.append(Fold(entry.subagent_type))
            fold = found[-1]
            if isinstance(fold, Fold):
                fold.steps.append(step)
        else:
            found.append(step)
    return found


def _mark(entry: Entry, failed: set[tuple[str | None, str | None]]) -> str:
    if entry.kind == "commit":
        return "commit"
    if entry.kind == "exchange":
        return SPOKEN.get(entry.role or "", "said")
    call = (entry.tool, entry.target or entry.shape)
    if entry.outcome == "failed":
        failed.add(call)
        return "failed"
    if entry.outcome == "ok" and call in failed:
        failed.discard(call)
        return "passed"
    return "call"
