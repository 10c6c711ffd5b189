"""Fact proposals out of sentences: outcomes only, each with who vouches for it.

A person's words stand as a person's word, a commit's message where its changes bear it out (``distill.support``).
What an agent says is a model's inference, unless the person's prompt of that turn stated the same: to name a value
is not to state it. What was said before a command failed for good, or before the same thing was given up, is not
proposed at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from distill.offline.claim import Claim
from distill.offline.clauses import clauses, delay_in, main_clause, reason_in
from distill.offline.fixes import broken_at_end
from distill.offline.grammar import claims_of
from distill.offline.happenings import rule_of, words
from distill.offline.labels import Label
from distill.offline.mood import Mood
from distill.offline.plausible import is_ruling, plausible
from distill.offline.sayings import Saying
from distill.offline.turns import answers_of, carried_out, is_order, undone
from distill.slots import CHOICE, RULE, USES, cardinality, kind_of, slot
from distill.support import supports
from distill.values import tidy, value_key
from schema.records import (
    Cardinality,
    Commit,
    EventKind,
    Evidence,
    FactKind,
    NewEvent,
    Proposal,
    Role,
    SessionEvidence,
    Slot,
    Standing,
)
from schema.speech import shortened

MOST_PROPOSALS = 80
LONGEST_STATEMENT = 240
LONGEST_CONTEXT = 400
LONGEST_RULE = 30

_OUTCOMES = {Mood.STATED, Mood.DECIDED, Mood.RULED}
_AGENTS = {Role.REPLY, Role.SUBAGENT}

_NEVER = re.compile(r"\b(?:never|no longer|must not|mustn't|do not|don't|avoid)\b", re.IGNORECASE)
_DROPPED = re.compile(r"\b(?:no longer|stop(?:ped)?|not .* any ?more)\b", re.IGNORECASE)
_LIFTED = re.compile(
    r"(?:the |our )?(?P<before>[\w-]+(?: [\w-]+){0,4}?) (?:rule|convention|policy|requirement) "
    r"(?:is|was|has been) (?:gone|dropped|lifted|removed|void|off|retired|history|no more)"
    r"|(?:forget|drop|ignore|scrap|lift) (?:about )?the (?:rule|convention|policy) (?:about|on|for|of) (?P<of>[\w -]+)"
    r"|(?:the |our )?(?:rule|convention|policy) (?:about|on|for|of) (?P<about>[\w -]+?) (?:is|was|has been) "
    r"(?:gone|dropped|lifted|removed|void|off|retired|history|no more)",
    re.IGNORECASE,
)
_POLARITY = {
    "always",
    "never",
    "must",
    "not",
    "no",
    "longer",
    "do",
    "don't",
    "mustn't",
    "avoid",
    "please",
    "make",
    "sure",
    "should",
    "shall",
    "now",
    "on",
}
_ABANDONED = (
    re.compile(r"\b(?:gave|give|giving) up on (?P<what>[^.,;:]+)", re.IGNORECASE),
    re.compile(r"\bcould(?:n't| not) get (?P<what>[^.,;:]+?)(?= to\b|[.,;:]|$)", re.IGNORECASE),
    re.compile(
        r"(?:abandon\w*|rolled back|rolling back|back(?:ed|ing) out|ruled out|scrapped|reverted) (?P<what>[^.,;:]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<what>[^.,;:]+?) (?:(?:did|does|do|was|is)(?:n't| not)|won't|cannot|can't|never|turned out|failed|made)\b",
        re.IGNORECASE,
    ),
)


def proposals(
    evidence: SessionEvidence, said: Sequence[Saying], events: Sequence[NewEvent]
) -> tuple[Proposal, ...]:
    """Return what ``said`` offers as facts."""
    abandoned = [event for event in events if event.kind is EventKind.DEAD_END]
    reverts = undone(said)
    broken = broken_at_end(evidence)
    found: list[Proposal] = []
    for saying in said:
        contradicted = broken is not None and not saying.by_person and saying.at <= broken
        outcome = saying.mood in _OUTCOMES or carried_out(saying, said, evidence)
        if not outcome or contradicted:
            continue
        for offered in _offered(saying, evidence, said):
            kept = _unless_given_up(offered, abandoned)
            found.append(kept if kept.negated else _unless_undone(kept, saying, reverts))
    return tuple(found[:MOST_PROPOSALS])


def _unless_given_up(offered: Proposal, abandoned: Sequence[NewEvent]) -> Proposal:
    """The proposal, or its taking back where the session gave the value up later."""
    mine = words(offered.value)
    for event in abandoned:
        if offered.valid_from < event.at and mine and mine <= _given_up(event.text):
            return replace(
                offered,
                negated=True,
                given_up=True,
                replaces=None,
                valid_from=event.at,
                statement=event.text,
                evidence=event.evidence,
            )
    return offered


def _unless_undone(
    offered: Proposal, saying: Saying, reverts: Sequence[tuple[Saying, str, datetime]]
) -> Proposal:
    """The proposal, or its taking back where the person had the turn undone that brought it.

    What a person had stated of itself stands; what they ordered, and what an agent did unasked, goes.
    """
    for order, began, at in reverts:
        if not at <= saying.at < order.at:
            continue
        unasked = saying.role in _AGENTS and offered.standing is Standing.MODEL
        if unasked or (saying.source.id == began and is_order(saying.text)):
            return replace(
                offered,
                negated=True,
                given_up=True,
                replaces=None,
                valid_from=order.at,
                statement=order.text,
                evidence=(_pointer(order, order.at),),
            )
    return offered


def _given_up(text: str) -> set[str]:
    for pattern in _ABANDONED:
        if match := pattern.search(text):
            return words(match["what"])
    return set()


def _offered(saying: Saying, evidence: SessionEvidence, said: Sequence[Saying]) -> list[Proposal]:
    found = []
    before: Claim | None = None
    told = ""
    for step, clause in enumerate(clauses(saying.text)):
        for stated in claims_of(clause):
            claim = _carried(stated, before)
            before = claim
            standing = _standing(saying, claim, evidence, said)
            if _told_better(saying, claim, said) or not _vouched(saying, clause, claim, standing):
                continue
            told = told or _told_before(saying, said)
            found.append(_proposal(saying, claim, standing, step, told))
    ruled = saying.mood is Mood.RULED or _LIFTED.search(saying.text)
    if not found and ruled and saying.role in {Role.PERSON, Role.COMPACTION}:
        return _rule(saying, evidence)
    return found


def _told_better(saying: Saying, claim: Claim, said: Sequence[Saying]) -> bool:
    """Whether the agent's answer to "go with X" names what X is for: then the answer is the better sentence."""
    if claim.stated or claim.replaces or saying.role is not Role.PERSON or saying.source.kind != "exchange":
        return False
    return any(
        other.stated and not other.negated and value_key(other.value) == value_key(claim.value)
        for answer in answers_of(saying, said)
        if answer.mood in _OUTCOMES
        for clause in clauses(answer.text)
        for other in claims_of(clause)
    )


def _vouched(saying: Saying, clause: str, claim: Claim, standing: Standing) -> bool:
    """Whether a claim is worth taking down. What an agent tells somebody to do is advice; what a person announces as
    a decision is one, whatever its value looks like.
    """
    if saying.label is Label.DECISION and saying.role is Role.PERSON and claim.stated and not saying.long:
        return True
    inferred = saying.role in _AGENTS and standing is Standing.MODEL
    if inferred and is_order(clause) and not claim.replaces:
        return False
    listed = claim.form == "label" and saying.long
    return plausible(claim, inferred=inferred or saying.pasted or listed)


def _told_before(saying: Saying, said: Sequence[Saying]) -> str:
    """The sentences of the same text up to this one: what "we moved to X" leaves out stands there."""
    same = [s.text for s in said if s.source.id == saying.source.id and s.at <= saying.at]
    return "\n".join(same[-4:])[-LONGEST_CONTEXT:]


def _carried(claim: Claim, before: Claim | None) -> Claim:
    """ "We no longer use A for the cache; we use B": the second clause speaks of the first one's slot."""
    if claim.stated or claim.negated or before is None or not (before.negated and before.stated):
        return claim
    if before.attribute not in {CHOICE, USES}:
        return claim
    slot_of = replace(claim, subject=before.subject, owner=before.owner, scope=before.scope, attribute=CHOICE)
    return replace(
        slot_of,
        stated=True,
        replaces=before.value,
        wording=f"{tidy(before.subject).capitalize()}: {claim.value}",
    )


def _proposal(saying: Saying, claim: Claim, standing: Standing, step: int, told: str) -> Proposal:
    where = slot(claim.subject, claim.attribute, of=claim.owner, scope=claim.scope)
    at = saying.at + timedelta(microseconds=step)
    place = f" in {claim.scope}" if claim.scope else ""
    parts = (f"{claim.wording}{place}", delay_in(saying.text), reason_in(saying.text))
    statement = ", ".join(part for part in parts if part).rstrip(".") + "."
    if claim.negated:
        statement = saying.text
    return Proposal(
        slot=where,
        cardinality=cardinality(where.attribute),
        kind=_kind(saying, where),
        value=claim.value,
        statement=shortened(statement, LONGEST_STATEMENT),
        standing=standing,
        valid_from=at,
        evidence=(_pointer(saying, at),),
        negated=claim.negated,
        replaces=claim.replaces,
        stated=claim.stated,
        told=told,
    )


def _pointer(saying: Saying, at: datetime) -> Evidence:
    source = saying.source
    return Evidence(source.kind, source.id, at, source.session, source.commit)


def _kind(saying: Saying, where: Slot) -> FactKind:
    kind = kind_of(where)
    if kind is FactKind.GENERAL and saying.mood is Mood.RULED:
        return FactKind.CONVENTION
    return FactKind.DECISION if kind is FactKind.GENERAL and saying.mood is Mood.DECIDED else kind


def _standing(saying: Saying, claim: Claim, evidence: SessionEvidence, said: Sequence[Saying]) -> Standing:
    if commit := _commit_of(saying, evidence):
        kind = _kind(saying, slot(claim.subject, claim.attribute, of=claim.owner, scope=claim.scope))
        if supports(commit, claim.value, kind, ended=claim.negated):
            return Standing.PERSON
    elif saying.by_person:
        return Standing.PERSON
    prompts = [s for s in said if s.role is Role.PERSON and s.at <= saying.at and s.source.kind == "exchange"]
    if not prompts:
        return Standing.MODEL
    asked = [s for s in prompts if s.source.id == prompts[-1].source.id]
    if any(_states(s.text, claim) for s in asked):
        return Standing.PERSON
    return Standing.MODEL


def _commit_of(saying: Saying, evidence: SessionEvidence) -> Commit | None:
    if saying.source.kind != "commit":
        return None
    return next((commit for commit in evidence.commits if commit.id == saying.source.id), None)


def _states(text: str, claim: Claim) -> bool:
    """Whether a person's sentence states the same claim: merely to name its value is not to say it."""
    return any(_same(said, claim) for clause in clauses(text) for said in claims_of(clause))


def _same(said: Claim, claim: Claim) -> bool:
    if said.negated is not claim.negated or value_key(said.value) != value_key(claim.value):
        return False
    mine, other = (slot(c.subject, c.attribute, of=c.owner, scope=c.scope) for c in (said, claim))
    return mine == other or not said.stated or not claim.stated


def _rule(saying: Saying, evidence: SessionEvidence) -> list[Proposal]:
    """A rule that names no slot of its own: its topic is the slot, always or never its value."""
    text = main_clause(rule_of(saying))
    if lifted := _LIFTED.search(text):
        text = f"{next(part for part in lifted.groups() if part)} no longer"
    topic = " ".join(w for w in re.findall(r"[\w/+#.-]+", text.lower().rstrip(".")) if w not in _POLARITY)
    if not topic or len(topic) < 6 or saying.pasted or len(text.split()) > LONGEST_RULE:
        return []
    if not is_ruling(
        rule_of(saying), announced=saying.label is Label.CONVENTION or bool(_LIFTED.search(saying.text))
    ):
        return []
    where = Slot(topic[:80].strip(), RULE)
    commit = _commit_of(saying, evidence)
    empty = commit is not None and not supports(commit, "", FactKind.CONVENTION)
    return [
        Proposal(
            slot=where,
            cardinality=Cardinality.ONE,
            kind=FactKind.CONVENTION,
            value="never" if _NEVER.search(text) else "always",
            statement=shortened(rule_of(saying), LONGEST_STATEMENT),
            standing=Standing.PERSON if saying.by_person and not empty else Standing.MODEL,
            valid_from=saying.at,
            evidence=(_pointer(saying, saying.at),),
            negated=bool(_DROPPED.search(text)),
        )
    ]
