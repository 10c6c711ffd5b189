"""The form the model fills in, and its strict reading. What the reply claims, code checks against the
evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from distill.anthropic.prompt import INSTRUCTIONS, Part
from distill.identity import short_key
from distill.offline.mood import Mood, mood
from distill.slots import CHOICE, RULE, cardinality, kind_of, slot
from distill.support import supports
from distill.values import tidy, value_key
from schema.model import Form, ReplyMalformed
from schema.records import (
    Cardinality,
    Commit,
    Distillate,
    Draft,
    EventKind,
    Evidence,
    Exchange,
    FactKind,
    NewEvent,
    Proposal,
    Role,
    Standing,
)
from schema.speech import sentences, shortened, spoken, without_standing

TOOL = "record_session"
LONGEST_SUMMARY = 1_600
UNCERTAIN = {Mood.QUESTION, Mood.GUESS, Mood.PLAN, Mood.REPORTED, Mood.DEAD_END}


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class EventForm(_Form):
    """One event as the model reports it."""

    kind: Literal["decision", "convention", "component", "fix", "dead_end", "question"]
    title: str = Field(min_length=3, max_length=200)
    text: str = Field(min_length=3, max_length=1_000)
    evidence: list[str] = Field(min_length=1, max_length=20)


class FactForm(_Form):
    """One fact as the model proposes it."""

    subject: str = Field(min_length=1, max_length=120)
    attribute: str = Field(default=CHOICE, max_length=60)
    value: str = Field(min_length=1, max_length=120)
    statement: str = Field(min_length=3, max_length=400)
    evidence: list[str] = Field(min_length=1, max_length=20)
    scope: str = Field(default="", max_length=80)
    replaces: str | None = Field(default=None, max_length=120)
    ends: bool = False
    many: bool = False


class DraftForm(_Form):
    """One backlog proposal."""

    type: Literal["US", "FE", "BU", "TA", "PO", "RE"]
    title: str = Field(min_length=3, max_length=200)
    text: str = Field(min_length=3, max_length=1_000)
    evidence: list[str] = Field(min_length=1, max_length=20)


class SessionForm(_Form):
    """What one session came to."""

    title: str = Field(min_length=3, max_length=200)
    summary: str = Field(min_length=3, max_length=4_000)
    events: list[EventForm] = Field(default_factory=list, max_length=60)
    facts: list[FactForm] = Field(default_factory=list, max_length=60)
    drafts: list[DraftForm] = Field(default_factory=list, max_length=20)


SESSION_FORM = Form(
    instructions=INSTRUCTIONS,
    tool=TOOL,
    purpose="Record what the session came to.",
    schema=SessionForm.model_json_schema(),
)


def read(given: object, part: Part) -> Distillate:
    """Read the tool's input. Raises ReplyMalformed where it is not the form; drops what the evidence does
    not bear.
    """
    try:
        form = SessionForm.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"]) or "the whole"
        raise ReplyMalformed(why=f"{where}: {first['msg']}") from error
    events = [event for each in form.events if (event := _event(each, part))]
    proposals = [p for number, fact in enumerate(form.facts) if (p := _proposal(fact, part, number))]
    return Distillate(
        title=shortened(form.title, 120),
        summary=shortened(form.summary, LONGEST_SUMMARY),
        events=tuple({event.key: event for event in events}.values()),
        proposals=tuple(proposals),
        drafts=tuple(draft for each in form.drafts if (draft := _draft(each, part))),
    )


def _event(form: EventForm, part: Part) -> NewEvent | None:
    cited = _cited(form.evidence, part)
    if not cited:
        return None
    kind = EventKind(form.kind)
    key = short_key(kind, *sorted(re.findall(r"[a-z0-9]{3,}", form.title.lower())))
    return NewEvent(
        kind, shortened(form.title, 120), shortened(form.text, 600), max(e.at for e in cited), key, cited
    )


def _proposal(form: FactForm, part: Part, number: int) -> Proposal | None:
    """A fact stands on words that were said: its value must occur in cited speech that was neither doubt
    nor order.
    """
    cited = _cited(form.evidence, part)
    bearing = [label for label in form.evidence if label in part.said and _bears(form, part.said[label])]
    if not cited or not bearing:
        return None
    where = slot(form.subject, form.attribute, scope=form.scope)
    at = max(part.labels[label].at for label in bearing) + timedelta(microseconds=number)
    people = any(_vouched(form, kind_of(where), part.said[label]) for label in bearing)
    pointers = tuple(Evidence(e.kind, e.id, at, e.session, e.commit) for e in _cited(bearing, part))
    return Proposal(
        slot=where,
        cardinality=Cardinality.MANY if form.many else cardinality(where.attribute),
        kind=kind_of(where),
        value=tidy(form.value),
        statement=shortened(without_standing(form.statement), 240),
        standing=Standing.PERSON if people else Standing.MODEL,
        valid_from=at,
        evidence=pointers,
        negated=form.ends,
        replaces=None if form.replaces is None else tidy(form.replaces),
    )


def _draft(form: DraftForm, part: Part) -> Draft | None:
    cited = _cited(form.evidence, part)
    if not cited:
        return None
    key = short_key("draft", form.type, form.title.lower())
    return Draft(form.type, shortened(form.title, 120), shortened(form.text, 600), key, cited)


def _cited(labels: Iterable[str], part: Part) -> tuple[Evidence, ...]:
    return tuple(part.labels[label] for label in dict.fromkeys(labels) if label in part.labels)


def _bears(form: FactForm, item: Exchange | Commit) -> bool:
    """Whether what was said names the fact: the value, or for a rule its words."""
    text = item.message if isinstance(item, Commit) else item.text
    wanted = form.subject if form.attribute == RULE else form.value
    keys = [value_key(word) for word in _words(wanted)]
    for sentence in sentences(spoken(text)):
        heard = {value_key(word) for word in _words(sentence)}
        if (
            keys
            and sum(key in heard for key in keys) >= _enough(form, keys)
            and mood(sentence) not in UNCERTAIN
        ):
            return True
    return False


def _enough(form: FactForm, keys: Sequence[str]) -> float:
    return 0.6 * len(keys) if form.attribute == RULE else len(keys)


def _words(text: str) -> list[str]:
    return [
        w for w in re.findall(r"[\w.+#/-]+", text.lower()) if w.strip(".-/") and w not in {"the", "a", "an"}
    ]


def _vouched(form: FactForm, kind: FactKind, item: Exchange | Commit) -> bool:
    """Whether a person's word stands behind it: a prompt, or a commit whose changes bear its message out."""
    if isinstance(item, Commit):
        return supports(item, form.value, kind, ended=form.ends)
    return item.role is Role.PERSON
