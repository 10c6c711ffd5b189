"""What the turns of a session say about one another: asked and done, answered, undone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from distill.offline.clauses import opened
from distill.offline.mood import Mood
from distill.offline.sayings import Saying
from distill.offline.spelling import in_full
from schema.records import Outcome, Role, SessionEvidence

_REQUEST = re.compile(
    r"(?:can|could|would) you (?:please )?(?!check|tell|explain|look|see|say|think|show|find)\w+",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?:please )?(?:use|switch|go|keep|pick|adopt|run|try|prefer|choose|stick|replace|swap|move|migrate|set|"
    r"change|put|"
    r"store|consider|make|let's|set it|upgrade|bump|raise|lower|drop|rename|convert|port|add|send)\b",
    re.IGNORECASE,
)
_UNDO = re.compile(
    r"\b(?:undo|revert) (?:that|it|this|everything|all of (?:it|that))\b(?! (?:last )?(?:edit|commit|file|line|"
    r"test|part))"
    r"|\b(?:put|set|roll|change|switch|take) (?:it|that|this|everything) back\b|\bwe never agreed\b"
    r"|\bchanged my mind\b|^(?:please )?(?:revert|go back|switch back|roll back) to\b",
    re.IGNORECASE,
)
_DECLINED = re.compile(
    r"\b(?:before i|shall i|should i|do you want|would you like|i'd (?:rather|advise|not|recommend)|instead of doing|"
    r"could(?:n't| not)|can(?:'t|not)|did(?:n't| not)|does(?:n't| not) work|failed|revert\w*|not possible|restored)\b",
    re.IGNORECASE,
)
_CHANGES = {"Edit", "Write", "MultiEdit", "NotebookEdit"}


def is_order(sentence: str) -> bool:
    """Say whether a sentence tells somebody to do something: "switch the cache to X", "can you swap A for B?"."""
    text = opened(in_full(sentence))
    return bool(_REQUEST.match(text) or _ORDER.match(text))


def carried_out(saying: Saying, said: Sequence[Saying], evidence: SessionEvidence) -> bool:
    """Say whether a polite request of a person ("can you swap A for B?") was done in its turn, as far as it shows."""
    if (
        saying.role is not Role.PERSON
        or saying.mood is not Mood.QUESTION
        or not _REQUEST.match(opened(in_full(saying.text)))
    ):
        return False
    start, end = _turn(saying, said)
    answers = [s for s in said if s.role is Role.REPLY and start <= s.at < end]
    if not answers or any(
        s.mood in {Mood.DEAD_END, Mood.QUESTION} or _DECLINED.search(s.text) for s in answers
    ):
        return False
    changed = any(
        call.tool in _CHANGES and call.outcome is Outcome.OK and start <= call.at < end
        for call in evidence.observations
    )
    return changed or any(start <= commit.at < end for commit in evidence.commits)


def answers_of(saying: Saying, said: Sequence[Saying]) -> Iterator[Saying]:
    """Yield what the agent said in the turn of a person's sentence, after it."""
    start, end = _turn(saying, said)
    yield from (s for s in said if s.role is Role.REPLY and start <= s.at < end)


def undone(said: Sequence[Saying]) -> list[tuple[Saying, str, datetime]]:
    """Return the orders to undo a turn, each with the source and the time of the prompt that had begun that turn."""
    found = []
    for saying in _prompts(said):
        if saying.mood is Mood.QUESTION or not _UNDO.search(in_full(saying.text)):
            continue
        before = [s for s in _prompts(said) if s.source.id != saying.source.id and s.at < saying.at]
        if before:
            start = next(s for s in before if s.source.id == before[-1].source.id)
            found.append((saying, start.source.id, start.at))
    return found


def _prompts(said: Sequence[Saying]) -> list[Saying]:
    return [s for s in said if s.role is Role.PERSON and s.source.kind == "exchange"]


def _turn(saying: Saying, said: Sequence[Saying]) -> tuple[datetime, datetime]:
    later = (s.at for s in _prompts(said) if s.at > saying.at and s.source.id != saying.source.id)
    return saying.at, min(later, default=datetime.max.replace(tzinfo=saying.at.tzinfo))
