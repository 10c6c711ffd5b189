"""Whether a question asks for a reason, and whether a text gives one."""

from __future__ import annotations

import re

_WHY = re.compile(
    r"\bwhy\b|\bwhat for\b|\bhow come\b|\breasons?\b|\brationale\b|\bwhat (?:made|led|caused|drove|motivated)\b"
    r"|\bbecause of what\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"\b(?:because|so that|in order (?:to|that)|due to|given that|thanks to|on account of|the reason|that way|"
    r"otherwise|to avoid|which (?:is why|lets|gives|means)|for (?:\w+ )?reasons?)\b"
    r"|(?:^|[,;:(–—]\s*)(?:since|as)\s+"
    r"(?!(?:yesterday|today|last|the beginning|version|v?\d|of|well|planned|far|before|usual|always)\b)\w"
    r"|(?:^|[,;:(–—]\s*)so\s+(?:we|it|they|that|the|i|you|a|an|this|there|every|all|no|each|our)\b",
    re.IGNORECASE,
)


def asks_why(question: str) -> bool:
    """Say whether ``question`` asks for a reason."""
    return bool(_WHY.search(question))


def gives_reason(text: str) -> bool:
    """Say whether ``text`` says why."""
    return bool(_BECAUSE.search(text))
