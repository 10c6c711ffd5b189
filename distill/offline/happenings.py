"""Events out of sentences: decisions and conventions with their reasons, dead ends, components, open
questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from distill.identity import short_key
from distill.offline.clauses import clauses, main_clause, opened, reason_in
from distill.offline.grammar import claim_of, claims_of
from distill.offline.labels import Label
from distill.offline.mood import Mood
from distill.offline.plausible import plausible
from distill.offline.sayings import Saying
from distill.values import value_key
from schema.records import EventKind, NewEvent, Role
from schema.speech import shortened

LONGEST_TITLE = 120
LONGEST_EVENT = 600
ALIKE = 0.5

_FIRM = re.compile(
    r"\b(?:decided|settled on|agreed (?:on|to)|chose|opted for|went with|stick(?:ing)? with|it is[.!,]?$|"
    r"(?:go|going) with|in favou?r of|instead of|rather than|standardi[sz]\w+ on)\b|\bit is[.!]?$|\b(?:we|i) drop\b",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\b(?:we|i|the team|everybody|all of us)(?:['’](?:ve|re)| have| are)? (?:\w+ ){0,2}?(?:decided|agreed|chose|"
    r"chosen|"
    r"settled|opted|went with|(?:go|going) with|stick(?:ing)? with|picked|standardi[sz]\w+|adopt\w*|drop)\b|"
    r"\bit (?:was|is) (?:decided|agreed) (?:that|to)\b|^(?:decided?|agreed?|chose|choose|settled?|opt(?:ed)?|"
    r"adopt(?:ed)?|standardi[sz]ed?|go(?:ing)? with|went with|stick with) (?!by\b|once\b)|"
    r"^(?:switch|move|migrate|convert|port)(?:e?d)? .*\b(?:from\b.*\bto|to)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"(?:use|replace|swap|prefer)d? ", re.IGNORECASE)
_GIVEN_UP = re.compile(
    r"\b(?:g[ai]ven?|giving) up\b|\bdead[- ]end\b|\btried\b|\brevert(?:ed)? (?:it|that|this)\b|\broll(?:ed|"
    r"ing) back\b|"
    r"\bback(?:ed|ing) (?:\w+ )?out\b|\babandon(?:ed|ing)\b|\bto no avail\b|\bno improvement\b|\bworse\b|"
    r"\bruled out\b|"
    r"\bscrapped\b|\bturned out\b",
    re.IGNORECASE,
)
_POINTER = re.compile(r"\b(?:follow|do|apply|keep|stick to|respect|use) (?:that|this|it)\b", re.IGNORECASE)
_GENERAL = re.compile(
    r"\b(?:always|never|from now on|conventions?|rule|everywhere|every|all|each|any|prefer|must|by default|policy|"
    r"in (?:this|the|our) (?:repo\w*|project|codebase|code base|team)|across|throughout|project-wide|here|keep)\b",
    re.IGNORECASE,
)
_THIS_ONE = re.compile(r"\b(?:the|this|that|these|those|it|them)\b", re.IGNORECASE)
_EXPLAINS = re.compile(
    r"^(?:because|since|the reason|that way|this way|otherwise|it|they|this|that|"
    r"we (?:need|want|don't|do not|had|have|can)|the \w+)\b",
    re.IGNORECASE,
)
_THAT = re.compile(r"\b(?:it|that|this)\b(?: (?:change|attempt|approach|idea))?(?:[ .]|$)", re.IGNORECASE)
_LINK = re.compile(r"^(?:and|also|but|then|plus),? ", re.IGNORECASE)
_OPEN = re.compile(
    r"\bopen question\b|\bstill (?:open|unclear|undecided|unresolved)\b|\bto be (?:decided|determined)\b|\bTBD\b|"
    r"\b(?:need|have) to decide\b|\bremains (?:open|unclear)\b",
    re.IGNORECASE,
)
_COMPONENT = re.compile(
    r"\b(?:added|created|built|introduced|wrote|set up|implemented|add|introduce|create)\b "
    r"(?:an? |the )?(?:new |small )*(?P<name>[\w/.`-]+(?: [\w/.`-]+){0,3}? "
    r"(?:service|module|component|endpoint|worker|package|library|"
    r"command|client|middleware|handler|consumer|scheduler|daemon|gateway|adapter|table|exchange))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z0-9][a-z0-9.+#/_-]*")
_COMMON = frozenset(
    (
        "the",
        "a",
        "an",
        "and",
        "or",
        "of",
        "to",
        "in",
        "on",
        "for",
        "with",
        "we",
        "it",
        "is",
        "are",
        "was",
        "be",
        "this",
        "that",
        "our",
        "not",
        "so",
        "as",
        "at",
        "by",
        "from",
        "use",
        "uses",
        "using",
        "now",
        "because",
        "since",
        "instead",
        "than",
        "rather",
        "over",
        "please",
        "i",
        "you",
        "they",
        "them",
        "its",
        "only",
    )
)


def happenings(said: Iterable[Saying]) -> tuple[NewEvent, ...]:
    """Return the events in ``said``, one for each thing however often it was said."""
    found: list[NewEvent] = []
    for saying in said:
        event = _event(saying)
        if event is not None:
            _keep(found, event)
    return tuple(found)


def event_at(kind: EventKind, title: str, text: str, saying: Saying) -> NewEvent:
    """Build an event from a sentence; its key is the kind and the words, so a repeat finds the same row."""
    title = shortened(title, LONGEST_TITLE)
    return NewEvent(
        kind=kind,
        title=title,
        text=shortened(text, LONGEST_EVENT),
        at=saying.at,
        key=short_key(kind, " ".join(sorted(words(title)))),
        evidence=(replace(saying.source, at=saying.at),),
    )


def words(text: str) -> set[str]:
    """Return the words of ``text`` that carry meaning, values in their canonical spelling."""
    return {value_key(w.rstrip(".-/")) for w in _WORD.findall(text.lower())} - _COMMON


def _event(saying: Saying) -> NewEvent | None:
    text, agent = saying.text, saying.role in {Role.REPLY, Role.SUBAGENT}
    if saying.source.kind == "commit" and not _weighty(saying):
        return None
    if saying.mood is Mood.DEAD_END:
        return event_at(EventKind.DEAD_END, opened(text), _with_reason(saying), saying)
    announced = saying.label
    if saying.mood is Mood.DECIDED and (announced is Label.DECISION or _is_decision(text, agent)):
        return event_at(EventKind.DECISION, _title(text), _with_reason(saying), saying)
    told = not agent or announced is not Label.NONE
    if saying.mood is Mood.RULED and told and (rule := rule_of(saying)):
        return event_at(EventKind.CONVENTION, _LINK.sub("", rule), _rule_text(saying, rule), saying)
    if (announced is Label.QUESTION or _OPEN.search(text)) and saying.mood is not Mood.REPORTED:
        return event_at(EventKind.QUESTION, text, text, saying)
    if agent and saying.mood is Mood.STATED and (match := _COMPONENT.search(main_clause(text))):
        return event_at(EventKind.COMPONENT, match["name"], text, saying)
    return None


def _weighty(saying: Saying) -> bool:
    """Whether a commit's sentence tells of a choice or an attempt, not of what the program does from now on: there
    "decided", "instead of" and "cannot work" are words like others.
    """
    if saying.mood is Mood.DEAD_END:
        return bool(_GIVEN_UP.search(saying.text))
    if saying.mood is not Mood.DECIDED or saying.label is Label.DECISION:
        return True
    ordered = bool(_ORDER.match(opened(saying.text)))
    return bool(_CHOSEN.search(opened(saying.text))) or any(
        claim.replaces and (plausible(claim, inferred=True) or (ordered and claim.value.isalpha()))
        for clause in clauses(saying.text)
        for claim in claims_of(clause)
    )


def _is_decision(text: str, agent: bool) -> bool:
    firm = bool(_FIRM.search(main_clause(text)) or _FIRM.search(text))
    return firm or (not agent and any(claim_of(clause) for clause in clauses(text)))


def rule_of(saying: Saying) -> str:
    """Return the sentence that states the rule: this one, or the one before where this one points back."""
    text = saying.text
    if _POINTER.search(text) and len(words(text)) <= 6:
        return saying.before
    if saying.label is Label.CONVENTION:
        return text
    clause = main_clause(text)
    return text if _GENERAL.search(text) or not _THIS_ONE.search(clause) else ""


def _rule_text(saying: Saying, rule: str) -> str:
    return _with_reason(saying) if rule == saying.text else f"{rule} {saying.text}"


def _title(text: str) -> str:
    return opened(text).rstrip(".")


def _with_reason(saying: Saying) -> str:
    """The sentence with the explanation that follows it, where it gives none itself."""
    if reason_in(saying.text) or not saying.after or not _EXPLAINS.match(saying.after):
        return saying.text
    return f"{saying.text} {saying.after}"


def _keep(found: list[NewEvent], event: NewEvent) -> None:
    """Add ``event``, or fold it into an event of its kind that says the same."""
    for index, known in enumerate(found):
        if known.kind is event.kind and (_alike(known, event) or _points_back(known, event)):
            longer = (
                event.text if len(event.text) > len(known.text) + 20 and reason_in(event.text) else known.text
            )
            found[index] = replace(known, text=longer, evidence=(*known.evidence, *event.evidence)[:8])
            return
    found.append(event)


def _alike(known: NewEvent, event: NewEvent) -> bool:
    mine, other = words(known.title), words(event.title)
    if not mine or not other:
        return mine == other
    return len(mine & other) / min(len(mine), len(other)) >= ALIKE and _same_values(known.title, event.title)


def _points_back(known: NewEvent, event: NewEvent) -> bool:
    """ "I reverted that": a second sentence about the dead end the same text has just told of."""
    same_text = known.evidence[-1].id == event.evidence[0].id
    return event.kind is EventKind.DEAD_END and same_text and bool(_THAT.search(event.title))


def _same_values(left: str, right: str) -> bool:
    """Two sentences that each state a value speak of the same thing only where the values agree."""
    mine = {value_key(c.value) for part in clauses(left) if (c := claim_of(part))}
    other = {value_key(c.value) for part in clauses(right) if (c := claim_of(part))}
    return not mine or not other or bool(mine & other)
