"""What can be a subject or a value: short noun phrases, not pronouns, verbs or asides."""

from __future__ import annotations

import re

from distill.shapes import DATE
from distill.values import kind_of_value, tidy

MOST_WORDS = 6
MOST_SUBJECT_WORDS = 5

_TAIL = re.compile(
    r"[\s,]+(?:now|again|instead|everywhere|here|there|today|going forward|from now on|for now|as well|too|already|"
    r"these days|yesterday|this morning|recently|from (?:here|then) on|last (?:night|week|month|year|sprint|quarter)|"
    r"exclusively|only|by default|anymore|any more|at last|after all|please|then|right away|completely|"
    rf"entirely|fully|(?:as of|from|starting|effective|since) (?:{DATE})(?: on(?:wards)?)?|as before|until then|"
    rf"over (?:the weekend|night|lunch)|overnight|"
    r"from today|since (?:the \w+|this \w+|(?:a )?long(?: time)?|ages|forever)|of course|"
    r"as of (?:today|now|this \w+)|since (?:yesterday|today|last \w+)|this (?:week|sprint|month)|"
    r"throughout|as planned|in (?:this|the|our) (?:repo|repository|project|codebase|code base))$",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"^(?:at|now|again|also|the following|only|just|simply|basically|currently|actually|mainly|mostly|to use|using|"
    r"called|named|set to|always|still|usually)\s+",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"^(?:it|its|this|that|these|those|they|them|he|she|you|i|me|us|one|ones|there|here|what|which|who|everything|"
    r"nothing|something|anything|someone|everyone|both|all|each|none|some|any|more|most|other|others|another|same|"
    r"thing|things|way|problem|issue|reason|idea|answer|point|goal|plan|question|fix|bug|cause|root cause|error|"
    r"failure|result|next|rest|change|work|task|time|today|done|user|first|second|last|latter|former|cases?)$",
    re.IGNORECASE,
)
_WE = re.compile(
    r"^(?:we|i|you|they|he|she|it|let'?s|please|the team|there|this|that|and|or|but|so|if|when|what|never|always|no|"
    r"not|everything|everyone|the$|a$|an$|our$)\b",
    re.IGNORECASE,
)
_NOT_VALUE = re.compile(
    r"(?<![\w.-])(?:is|are|was|were|be|been|has|have|had|does|did|will|would|can|could|should|must|we|i|you|they|"
    r"because|since|"
    r"when|if|but|which|who|what|why|how|that|not|so|it|them|than|while|until|unless|me|us|there|instead|"
    r"rather)(?![\w-])|"
    r"^(?:of|for|to|in|on|at|by|with|from|as|cases?)\b|\w+n['’]t\b|[=:] |[.!?] | with |"
    r"\band (?:the|a|an|its?|all|then|now|also|\w+ed)\b",
    re.IGNORECASE,
)
_NOT_SUBJECT = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|did|do|will|would|can|could|should|must|we|i|you|they|"
    r"because|since|"
    r"when|if|but|which|who|what|why|how|that|not|so|it|them|than|until|unless|me|us|there|please|let|use|uses|"
    r"using|"
    r"switch|switched|move|moved|migrate|migrated|replace|replaced|keep|kept|add|added|make|made|run|see|said|now)\b",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"^(?:(?:very|too|quite|really|so|still|also|not|almost|fully|completely|much|more|less|pretty|already) )*"
    r"(?:[a-z]+ed|[a-z]+ing|[a-z]+(?:able|ible|ful|less|ous|ive|ish)|fine|good|bad|ok|okay|green|red|slow|fast|"
    r"faster|slower|wrong|right|correct|broken|ready|open|close|empty|full|large|small|big|high|low|new|old|same|"
    r"different|clear|clean|simple|simpler|hard|easy|late|early|safe|sure|true|false|enough|up|down|out|in|on|off|"
    r"over|gone|done|live|available|better|worse|(?:friendl|simpl|cheap|easi|larg|small|strong|clean|light|heav|"
    r"safe|high|low)\w*er|best|worst|needed|due|"
    r"(?:one of|part of|for|to|about|at|of|from|with|where|as|like) .+|"
    r"a (?:bit|lot|problem|bug|mess|pain|good|bad|big|great|small|simple|dead|must|requirement).*|no .+|"
    r"the (?:same|one|only|culprit|problem|reason|cause|bottleneck|issue|right|wrong|best|most|first|last|next).*)$"
)

# A report of work done ("the service is set up with FastAPI") says nothing of what the thing is.
_DONE = re.compile(
    r"^(?:(?:now|all|already|fully|finally|completely) )*(?:(?:set|wired|hooked|spun|stood|brought|put|built|laid|"
    r"rolled|cleaned|written|scaffolded|checked|signed|tidied|carved|filled|finished) "
    r"(?:up|out|down|off|in|into|together|back)\b|"
    r"(?:switched|turned|shut|left) (?:on|off|down|out)\b|in place\b|up and running\b|up to date\b|(?:built|made|"
    r"done|written|working|running|ready|live|finished|complete)"
    r"(?: (?:and|now|as|for|in|at|again|locally|well|fine|properly|correctly)\b|$))",
    re.IGNORECASE,
)


def trimmed(name: str) -> str:
    """Return ``name`` without leading and trailing adverbs and punctuation."""
    text = tidy(name)
    while True:
        shorter = tidy(_HEAD.sub("", _TAIL.sub("", text)))
        if shorter == text:
            return text
        text = shorter


def without_tail(name: str) -> str:
    """Return ``name`` without the adverbs it ends in."""
    while (shorter := _TAIL.sub("", name).strip()) != name:
        name = shorter
    return name


def is_name(value: str, *, stative: bool = False) -> bool:
    """Say whether ``value`` can be the value of a fact; after "is" (``stative``) a mere state is none."""
    if not value or len(value) > 80 or (_PRONOUN.match(value) and value[1:] == value[1:].lower()):
        return False
    if kind_of_value(value):
        return True
    words = value.split()
    if stative and _DONE.match(value):
        return False
    if len(words) > MOST_WORDS or _NOT_VALUE.search(value) or value.count(",") > 0:
        return False
    return not (stative and _STATE.match(value) and value == value.lower())


def is_subject(name: str) -> bool:
    """Say whether ``name`` can be what a fact is about."""
    bare = tidy(name)
    if not bare or len(bare.split()) > MOST_SUBJECT_WORDS or _PRONOUN.match(bare) or _WE.match(name.strip()):
        return False
    return not _NOT_SUBJECT.search(bare) and not bare[0].isdigit() and not re.search(r"[,(:]", bare)
