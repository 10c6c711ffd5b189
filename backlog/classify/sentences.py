"""Which sentences ask for work, and of which type: the offline reading, rule by rule. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from backlog.likeness import words
from schema.speech import shortened, without_lead

LONGEST_TITLE = 120
FEWEST_WORDS = 2  # telling words that an unlabelled request needs


@dataclass(frozen=True, slots=True)
class Request:
    """A sentence that asks for work. ``broad``: it says what somebody wants to be able to do."""

    type: str
    title: str
    text: str
    broad: bool = False


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_LABELS = tuple(
    (kind, re.compile(rf"^(?:{names})\s*(?:[:–—]|\s-\s)\s*(?P<what>\S.*)", re.IGNORECASE | re.DOTALL))
    for kind, names in (
        ("US", r"use case|epic|user story"),
        ("BU", r"(?:known )?(?:bug|defect|regression)(?: report)?"),
        ("TA", r"to[ -]?do|follow[- ]?up|task|action(?: item)?|next step|later"),
        ("FE", r"feature(?: request)?|enhancement|idea"),
        ("PO", r"policy"),
        ("RE", r"requirement"),
    )
)
_STORY = re.compile(
    r"^as an? [\w /-]{2,40}?,? (?:i|we) (?:want|need|would like|should be able|must be able)(?: to)? (?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_ASKING = r"^(?:please |can you |could you |let'?s |we should )?(?:also |now )?(?:please )?"
_CHORE = (
    r"(?:an? |the |some |more |missing |unit |integration |new |another )*(?:tests?|comments?|docstrings?|docs?|"
    r"documentation|logging|logs?|prints?|imports?|types?|type hints?|branch|commit|pr|pull request|files?|folder|"
    r"director(?:y|ies)|lines?|todo|changelog|readme)\b"
)
_NEAR = (
    r"(?:it|this|that|these|those|them|the (?:above|typo|lint\w*|tests?|build|errors?|failures?|warnings?))\b"
)
_REPAIR = _any(rf"{_ASKING}(?P<what>(?:fix|repair)\s+(?!{_NEAR}).+)")
_VERB = r"(?:add|implement|build(?= (?:an?|the|us|our)\b)|introduce|support|provide|create|allow|enable)"
_ADD = _any(rf"{_ASKING}(?P<what>{_VERB}\s+(?!{_CHORE})(?!{_NEAR}).+)")
_WE = r"^(?:[\w-]+,\s+)?(?:and |but |so |also )?we (?:really |also |still |now )?"
_BUSY = (
    r"(?:run|check|look|talk|wait|discuss|decide|think|remember|verify|test|commit|push|merge|rebase|be|go|stop|"
    r"start|know|understand|find out|see|ask|read|start)\b"
)
_NEED = _any(
    rf"{_WE}(?:need|want|require)(?: to)?\s+(?!to\b)(?!{_BUSY})(?!{_NEAR})(?P<what>.+)",
    r"^(?:i|we)(?:'d| would) like (?:to (?:have |see |be able to )?)?(?!to\b)(?P<like>.+)",
    r"^(?P<who>(?:\w+ )?(?:users?|customers?|admins?|clients|people|accountants?|teams?|operators?|everyone|anyone)) "
    r"(?:need|needs|want|wants|should be able|must be able|have to be able)(?: to)?\s+\S.+",
    r"^it (?:should|must|has to) be possible to\s+(?P<can>.+)",
    r"^there (?:should|must|has to) be\s+(?P<be>.+)",
)
_MUST = re.compile(
    r"^(?P<subject>[^,;:]{2,80}?)\s+(?:must|has to|have to|needs to|shall)(?: not|n't)?\s+\S.+", re.IGNORECASE
)
_PRONOUN = re.compile(r"^(?:it|this|that|they|these|those)$", re.IGNORECASE)
_SOMEBODY = re.compile(r"^(?:you|we|i|one|he|she|somebody|someone)\b", re.IGNORECASE)
_BROKEN = _any(
    r"\b(?:crash(?:es|ed|ing)?|hangs|freezes|deadlocks|segfaults?|times out|leaks|loses|corrupts|duplicates)\b",
    r"\b(?:swallows|truncates)\b|\bdrops the (?:first|last)\b",
    r"\b(?:is|are|seems?|looks) (?:\w+ )?broken\b|\b(?:does|do)(?:n't| not) work\b|\bno longer works?\b",
    r"\bstopped working\b|\bkeeps? failing\b|\bfails? (?:when|if|on|for|with|after|to|silently|every)\b",
    r"\b(?:returns?|shows?|gives?|prints?) (?:an? |the )?(?:wrong|[45]\d\d|empty|stale|old|nan|null|garbage)\b",
    r"\b(?:throws|raises) (?:an? )?[\w.]*(?:error|exception)?\b|\bregression\b|\boff by one\b",
    r"\b(?:is|are|gets?) \w+(?:ed|wn|en) (?:wrong|wrongly|incorrectly)\b",
)
_DEVELOPING = _any(
    r"\btests?\b.{0,80}\b(?:fail|pass|broke)|\b(?:lint|mypy|ruff|ci|pipeline) (?:fails?|is broken)\b"
)
_DOUBT = _any(
    r"\b(?:maybe|perhaps|might|wonder|not sure|unsure|some ?day|what if|should we|hypothetical\w*|suppose|imagine)\b",
    r"\b(?:don't|do not|doesn't|does not|no longer|never|won't|will not) (?:need|want|require|have to)\b",
    r"^(?:if|unless|whether|when)\b",
)
_IFFY = _any(r"\b(?:could|would)\b(?! (?:you|like)\b)")


def request_in(sentence: str, *, after_another: bool = False) -> Request | None:
    """Return what a sentence asks for; ``after_another`` says that "it" can mean the request before."""
    said = " ".join(sentence.split())
    labelled = without_lead(said)
    for kind, label in _LABELS:
        if match := label.match(labelled):
            return _request(kind, match["what"], said, broad=kind == "US", fewest=1)
    if match := _STORY.match(said):
        return _request("US", match["what"], said, broad=True)
    asks = re.match(r"^(?:can|could) you\b", said, re.IGNORECASE)
    if (said.endswith("?") and not asks) or _DOUBT.search(said):
        return None
    return None if _IFFY.search(said) else _unlabelled(said, after_another)


def commit_request(subject: str) -> Request | None:
    """Return what a commit's first line says was fixed or added."""
    match = re.match(
        r"^(?P<kind>fix|feat|bugfix|feature)(?:\([^()]*\))?!?:\s*(?P<what>\S.+)", subject, re.IGNORECASE
    )
    if match:
        kind = "BU" if match["kind"].lower() in {"fix", "bugfix"} else "FE"
        return _request(kind, match["what"], subject)
    match = re.match(rf"^fix(?:e[sd])?\s+(?!{_NEAR})(?P<what>.+)", subject, re.IGNORECASE)
    return _request("BU", match["what"], subject) if match else None


def task(text: str) -> Request | None:
    """Return an unticked box as a task; None where it says nothing."""
    return _request("TA", text, text, fewest=1)


def _unlabelled(said: str, after_another: bool) -> Request | None:
    if match := _REPAIR.match(said):
        return _request("BU", match["what"], said)
    if match := _NEED.match(said):
        told = match.groupdict()
        what = said if told["who"] else told["what"] or told["like"] or told["can"] or told["be"]
        return _request("FE", what, said, broad=True)
    if match := _ADD.match(said):
        return _request("FE", match["what"], said)
    if _BROKEN.search(said) and not _DEVELOPING.search(said):
        return _request("BU", said, said)
    if match := _MUST.match(said):
        subject = match["subject"]
        if _SOMEBODY.match(subject) or (_PRONOUN.match(subject) and not after_another):
            return None
        return _request("RE", said, said)
    return None


def _request(
    kind: str, what: str, said: str, *, broad: bool = False, fewest: int = FEWEST_WORDS
) -> Request | None:
    told = re.sub(r"^(?:an?|the|that|to)\s+", "", what.strip(), flags=re.IGNORECASE).rstrip(" .!?;,:")
    if len(words(told)) < fewest:
        return None
    title = shortened(told[:1].upper() + told[1:], LONGEST_TITLE)
    same = said.rstrip(" .!?;,:").lower() == title.lower()
    return Request(kind, title, "" if same else said, broad)
