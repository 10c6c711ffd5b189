"""The labels that people and agents put before a sentence: "Decision: ...", "Open question: ...", "Note: ..."."""

from __future__ import annotations

import re
from enum import StrEnum


class Label(StrEnum):
    """What a label says of the sentence after it; NONE where it says nothing, or there is none."""

    NONE = ""
    DECISION = "decision"
    CONVENTION = "convention"
    QUESTION = "question"
    TASK = "task"


_HERE = r"(?: (?:for|in|of) (?:this|the|our) \w+| here)?"
_MEANT = (
    (
        Label.DECISION,
        r"(?:(?:new|final|our|the) )?decisions?(?: (?:made|taken))?|(?:we(?:'ve| have)? )?(?:decided|agreed)",
    ),
    (Label.CONVENTION, rf"(?:(?:new|our|the|house|team|project) )?(?:conventions?|rule){_HERE}"),
    (Label.QUESTION, r"(?:still )?open(?: (?:questions?|points?|issues?))?|unresolved|undecided|tbd"),
    (Label.TASK, r"to-?do"),
    (Label.NONE, r"(?:side )?notes?|nb|fyi|info|important|reminder|for the record|heads[- ]up"),
)
_LABELS = tuple(
    (label, re.compile(rf"(?:{names})(?:\s*:\s*|\s+[-–—]+\s+)(?=\S)", re.IGNORECASE))
    for label, names in _MEANT
)


def unlabelled(sentence: str) -> tuple[Label, str]:
    """Return what the labels before ``sentence`` say of it, the last one that says anything, and the rest."""
    said, rest = Label.NONE, sentence.strip()
    while True:
        for label, pattern in _LABELS:
            if match := pattern.match(rest):
                said, rest = label or said, rest[match.end() :]
                break
        else:
            return said, rest
