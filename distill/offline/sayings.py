"""The sentences of a session, each with who said it, when, in which mood and beside what."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from distill.offline.labels import Label, unlabelled
from distill.offline.mood import Mood, mood
from schema.records import Commit, Evidence, Exchange, Role, SessionEvidence
from schema.speech import addresses_the_memory, sentences

MOST_SENTENCES = 60
MOST_HEADING_WORDS = 2
FEWEST_WORDS = 3
BROKEN_FROM = 50  # characters; a shorter line of a commit's message ended where its author meant it to
LONG, LONGEST_TYPED = 600, 2_500
CONTINUED = "This session is being continued from a previous conversation"
_LASTING = re.compile(r"(?:always|never|from now on)\b", re.IGNORECASE)
STEP = timedelta(microseconds=16)


@dataclass(frozen=True, slots=True)
class Saying:
    """One sentence without its label. ``at`` is unique and ordered inside its text: later words count as newer.
    ``long`` is one of a text that people seldom type whole, ``pasted`` one of a text that nobody does.
    """

    text: str
    mood: Mood
    role: Role
    at: datetime
    source: Evidence
    turn: str | None
    before: str = ""
    after: str = ""
    label: Label = Label.NONE
    long: bool = False
    pasted: bool = False

    @property
    def by_person(self) -> bool:
        """True for a person's prompt and for a commit message, its author's word."""
        return self.role is Role.PERSON


def sayings(evidence: SessionEvidence) -> list[Saying]:
    """Return every sentence said in a session, in order of time; machine messages say nothing."""
    found: list[Saying] = []
    for exchange in evidence.exchanges:
        if exchange.role is not Role.MACHINE:
            found += _of_exchange(exchange, evidence.session)
    for commit in evidence.commits:
        found += of_commit(commit, evidence.session)
    return sorted(found, key=lambda saying: saying.at)


def of_commit(commit: Commit, session: str | None) -> list[Saying]:
    """Return the sentences of a commit's message, without the heading of its first line and without its
    trailers. The first line tells what the commit did ("Keep lines short"): it lays something down for what is to
    come only where it says so.
    """
    first, *others = commit.message.splitlines() or [""]
    subject = _without_heading(first)
    lines = [subject, *_unwrapped([line for line in others if not _trailer(line)])]
    source = Evidence("commit", commit.id, commit.at, session, commit.sha)
    said = _said("\n".join(lines), Role.PERSON, commit.at, source, None)
    return [
        replace(one, mood=Mood.STATED)
        if one.mood is Mood.RULED
        and one.label is Label.NONE
        and one.text in subject
        and not _LASTING.match(one.text)
        else one
        for one in said
    ]


def _unwrapped(lines: list[str]) -> list[str]:
    """Lines as they were before they were broken to fit: a long one goes on in the next, unless that begins anew."""
    found: list[str] = []
    broken = False
    for line in lines:
        goes_on = broken and line[:1].isalnum() and not unlabelled(line)[0]
        if goes_on:
            found[-1] = f"{found[-1].rstrip()} {line}"
        else:
            found.append(line)
        broken = len(line.rstrip()) >= BROKEN_FROM
    return found


def _of_exchange(exchange: Exchange, session: str) -> list[Saying]:
    source = Evidence("exchange", exchange.id, exchange.at, session)
    role = Role.COMPACTION if exchange.text.lstrip().startswith(CONTINUED) else exchange.role
    return _said(exchange.text, role, exchange.at, source, exchange.turn)


def _said(text: str, role: Role, at: datetime, source: Evidence, turn: str | None) -> list[Saying]:
    told = [s for s in sentences(text) if not addresses_the_memory(s)][:MOST_SENTENCES]
    labels, parts = [], []
    for label, part in map(unlabelled, told):
        labels.append(label)
        parts.append(part)
    return [
        Saying(
            text=part,
            mood=_meant(labels[index], mood(part)),
            role=role,
            at=at + STEP * index,
            source=source,
            turn=turn,
            before=parts[index - 1] if index else "",
            after=parts[index + 1] if index + 1 < len(parts) else "",
            label=labels[index],
            long=len(text) > LONG,
            pasted=len(text) > LONGEST_TYPED,
        )
        for index, part in enumerate(parts)
    ]


def _meant(label: Label, own: Mood) -> Mood:
    """The mood of a sentence that a label announces; doubt, questions and reports stay what they are."""
    if label is Label.QUESTION:
        return Mood.QUESTION
    if label is Label.TASK:
        return Mood.PLAN
    if own in {Mood.STATED, Mood.DECIDED, Mood.PLAN}:
        return {Label.DECISION: Mood.DECIDED, Label.CONVENTION: Mood.RULED}.get(label, own)
    return own


def _without_heading(line: str) -> str:
    """``auth: tokens expire`` and ``fix(api): use the index`` begin with a place: keep what is said of it."""
    if unlabelled(line)[0]:
        return line
    name, colon, rest = line.partition(": ")
    headed = colon and len(name.split()) <= MOST_HEADING_WORDS and len(rest.split()) >= FEWEST_WORDS
    return rest if headed else line


def _trailer(line: str) -> bool:
    name, colon, _rest = line.partition(": ")
    return bool(colon) and "-" in name and " " not in name
