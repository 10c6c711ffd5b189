"""Which claims are about the project. Most sentences of a session are about its code: what a function returns, what a
test printed, what task 3 was. They look like facts and are none.
"""

from __future__ import annotations

import re

from distill.offline.claim import Claim
from distill.offline.settled import NAME, is_role, is_setting
from distill.shapes import is_date, is_path, is_proper, is_quantity, shape
from distill.slots import CHOICE, LANGUAGE, RULE, USES, VERSION, canonical
from distill.values import kind_of_value, tidy
from distill.vocabulary import KINDS

# Sentences that say what was chosen, so that a word of the language may be the choice: "we use polling for ...".
_SURE = {"moved", "changed", "chosen", "chosen over", "is over"}
MOST_WORDS, MOST_INFERRED_WORDS = 4, 3
# Verbs that say what code does, not what a project chose.
_DOES = {"return", "returns", "emit", "emits", "read from", "reads from", "write to", "writes to"}
_CODE = re.compile(
    r"[✓✗×…(){}\[\]<>=|\"$;→←✅❌]|::|\\|\w_\w|\b[a-z]{2,}[A-Z][a-z]|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+){2,}|"
    r"(?<!\w)--?[a-z]|"
    r"\b\w+\.(?!(?:js|io|com|net|dev|ai|app|org|sh|rs)\b)[A-Za-z]\w+"
)
_TRAILER = re.compile(r"[A-Z]\w+-[A-Z]\w+$")
_HUMPED = re.compile(r"\b[A-Z][a-z0-9]+[A-Z][a-z]")
# A value that starts with no letter, ends before its noun came, or is told apart from another by a measure alone.
_LOOSE = re.compile(
    r"^[^\w@]|^\d+(?:\W|$|[a-z])|\b(?:with|to|for|in|on|of|and|or|from|by|at|the|an?|your|my)$|^(?:your|my|let's)\b|"
    r"^(?:own|bigger|smaller|larger|faster|slower|newer|older|better|cheaper|simpler|stronger) |['’]s \w+$",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"[a-z][\w-]* \d+")
_NAMED = re.compile(r"[A-Z0-9@]|[a-z]+\d|[a-z]+\.\w")
_TICKET = re.compile(
    r"^(?:task|step|lines?|issue|option|phase|part|case|pr|ticket) #?\d|^[A-Z]{2,6}-\d+$|"
    r"[0-9a-f]{8}-[0-9a-f]{4}-",
    re.IGNORECASE,
)
_MACHINE = re.compile(
    r"https?://|^[0-9a-f]{7,64}$|^/(?:tmp|var|home|users|private|root|opt|usr)/|\d{4}-\d\d-\d\d.\d\d:",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"^(?:first|second|third|two|three|four|five|both|other|last|next|remaining|latest|single|direct|exact|"
    r"exactly|another|"
    r"more|most|few|some|old|previous|original|expected|actual|initial|final|correct|wrong|worst|best|only|main|"
    r"key|real|same)\b|"
    r"(?:^| )#?\d+(?: |$)|\b[A-Z]{2,5}-\d+\b",
    re.IGNORECASE,
)
_DOING = re.compile(
    r"^(?:(?:look|verify|runn|us|read|check|updat|add|remov|creat|fix|call|pass|return|writ|swallow|mak|gett|do|"
    r"try|see|wait|"
    r"load|pars)ing|updat(?:e|ed)|modif(?:y|ied)|fix(?:ed|es)?|add(?:ed|s)?|remov(?:e|ed|es)|repl(?:ied|aced)|"
    r"verif(?:y|ied|ies)|"
    r"creat(?:e|ed|es)|merged?|traced|identified|parsed?|print(?:s|ed)?|assert\w*|check(?:ed|s)|see[sn]?|validated?|"
    r"initiali[sz]ed|continued?|staged|return(?:s|ed)?|implement(?:s|ed)?|for|at|with|by|after|before|when|per|"
    r"got|want(?:ed|s)?|fail(?:ed|s)?|took|regarding|nothing|no|not|via|between|if|then|also|step|rename[ds]?|"
    r"move[ds]?|changed?|re-?\w+ed)\b(?! (?:tool|engine|provider))",
    re.IGNORECASE,
)
_ACTION = re.compile(
    r"^(?:add|added|adds|use|uses|used|call|calls|called|return\w*|creat\w+|detect\w*|stor(?:e|es|ed)|fix\w*|chang\w+|"
    r"improv\w+|updat\w+|remov\w+|discard\w*|prompt\w*|dispatch\w*|read|reads|pars\w+|plac\w+|implement\w*|process\w*|"
    r"print\w*|command|running|affect\w*|discuss\w*|user|describ\w+|replac\w+|delet\w+|missing|represented|exported|"
    r"duplicated|treated|being|between|after|before|due|set|line|reuse|already|no|new|same|different|existing|all|any|"
    r"both|current|this|that|another|now|just|still|only|see|show\w*|check\w*|make\w*|keep\w*|mov\w+|renam\w+|handl\w+|"
    r"updated|failed|passed|done|complete\w*|agree\w*|approved|pre-\w+|track\w*|review\w*|request\w*)\b",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"scenario|issue|problem|fix|impact|result|status|output|verdict|date|pros|cons|goal|context|summary|note|"
    r"example|cause|reason|question|answer|request|task|step|error|warning|failure|change|conflict|design|plan|"
    r"approach|option|scope|effect|risk|benefit|baseline|incoming|regarding|message|commit|branch|line|case|"
    r"remote|key|field|default|value|id|file|function|method|class|variable|parameter|type|interface|hook|"
    r"handler|flag|critical|high|medium|low|minor|major|blocker|nit|info|warn|consistency|took|total|diff|"
    r"patch|test|coverage|staged|outcome|decision|title|description|author"
)
# Names of products that are words of their own: told from them by a capital or by their role beside them.
_WORDS = re.compile(
    r"solid|fiber|express|next|go|echo|chi|gin|rocket|remix|atlas|temporal|render|railway|fly|drone|composer|"
    r"bun|black|spring|phoenix|swift|dart|elastic|rabbit|shell|nest|bull|native|active|make|c"
)
_TOLD = re.compile(
    r"\b(?:was|were|had|found|investigated|did|noticed|saw|been|still exist|currently|means|demonstrates?|searched|"
    r"confirmed|expressing)\b|^(?:i|can you|it|they|this|step \d+)\b|\bthere (?:should|must) be\b|\bnever mind\b|"
    r"\b(?:is|are|be|but|can)(?: \w+)? never\b|:$",
    re.IGNORECASE,
)
_RULING = re.compile(
    r"\b(?:must|should|shall|has to|have to|needs? (?:to|an?)|always|never|don't|do not|avoid|prefer|from now on|"
    r"conventions?|rule|no longer|at most|no more than)\b|^(?:please )?(?:keep|use|write|name|put)\b|"
    r"\b(?:every|each|all|any)\b.*\b(?:gets?|goes|go|lives?)\b",
    re.IGNORECASE,
)


def plausible(claim: Claim, *, inferred: bool) -> bool:
    """Say whether ``claim`` can be a fact about the project; ``inferred`` ones (an agent's own words, or a text too
    long to be typed) must be about a role or say what changed.
    """
    subject, value = tidy(claim.subject), tidy(claim.value)
    if claim.negated or claim.attribute == RULE:
        return True
    if claim.attribute == NAME:
        return not _MACHINE.search(value)
    if claim.attribute in _DOES or _MACHINE.search(value) or _TICKET.search(value):
        return False
    if _WORDS.fullmatch(value) and canonical(subject) != kind_of_value(value):
        return False
    if claim.stated and not _subject(claim, subject):
        return False
    if (
        not claim.stated
        and not claim.replaces
        and kind_of_value(value) is None
        and (inferred or _CODE.search(value))
    ):
        return False
    if not _value(claim, value, inferred=inferred):
        return False
    if not inferred or (kind_of_value(value) is not None and claim.attribute in {CHOICE, USES, LANGUAGE}):
        return True
    if claim.replaces is not None and claim.form not in {"label", "setting"}:
        return len(value.split()) <= MOST_INFERRED_WORDS
    named = shape(value) == "name" and len(value.split()) <= MOST_INFERRED_WORDS
    return claim.attribute == VERSION or (
        is_role(subject) and named and claim.form not in {"label", "bare", "setting"}
    )


def is_ruling(text: str, *, announced: bool) -> bool:
    """Say whether a sentence lays something down for what is to come, instead of telling what happened; ``announced``
    where a label before it says so.
    """
    return (announced or bool(_RULING.search(text))) and not _TOLD.search(text)


def _subject(claim: Claim, subject: str) -> bool:
    if canonical(subject) in KINDS or claim.form == "relocated":
        return not _DOING.match(subject)
    if _NUMBERED.search(subject) and not is_setting(subject) and canonical(subject) == subject.lower():
        return False
    generic = _GENERIC.fullmatch(subject.lower().removeprefix("the ").removesuffix("s"))
    if (generic and claim.form not in {"on", "practice", "kept", "done"}) or _DOING.match(subject):
        return False
    if is_path(claim.value) and claim.form in {"on", "kept"}:
        return True
    if _TRAILER.match(subject):
        return False
    code = _CODE.search(subject) or (_HUMPED.search(subject) and kind_of_value(subject) is None)
    return not code or (is_setting(subject) and is_quantity(claim.value))


def _value(claim: Claim, value: str, *, inferred: bool) -> bool:
    if kind_of_value(value) is not None or claim.attribute not in {
        CHOICE,
        USES,
        LANGUAGE,
        USES + " also",
        "supports",
    }:
        return True
    setting = is_setting(claim.subject)
    if claim.attribute == LANGUAGE:
        return False
    if is_date(value):
        return setting
    if is_quantity(value):
        return setting or claim.form in {"set", "setting", "setting moved", "at most"}
    if is_path(value):
        return claim.form in {"relocated", "on", "kept", "changed", "moved"} or (setting and not inferred)
    if _ACTION.match(value) or _CODE.search(value) or _LOOSE.search(value) or len(value.split()) > MOST_WORDS:
        return False
    if claim.form == "label" and (
        _COUNTED.fullmatch(value) or not (is_role(claim.subject) or len(value.split()) == 1)
    ):
        return False
    if inferred or not claim.stated:
        return all(_NAMED.match(word) for word in value.split())
    if is_proper(value):
        return True
    return claim.form in _SURE
