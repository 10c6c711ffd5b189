"""Sentences that may tell of a change and that no pattern reads whole: kept to be held against what stands."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from distill.arrivals import brings_news
from distill.departures import may_leave
from distill.offline.mood import Mood
from distill.offline.sayings import STEP, Saying
from distill.offline.spelling import in_full
from distill.slots import CHOICE, PROJECT
from distill.support import supports
from distill.unread import technologies
from schema.records import (
    Cardinality,
    Commit,
    Evidence,
    FactKind,
    Proposal,
    SessionEvidence,
    Slot,
    Standing,
)
from schema.speech import shortened

MOST_UNREAD = 40
LONGEST, LONGEST_STATEMENT = 260, 240
FEWEST_WORDS = 2
_TOLD = {Mood.STATED, Mood.DECIDED, Mood.RULED, Mood.DEAD_END}
_LAST = STEP - timedelta(microseconds=1)  # after whatever the patterns make of the same sentence


def unread(evidence: SessionEvidence, said: Iterable[Saying]) -> tuple[Proposal, ...]:
    """Return what a person said, or a commit's message, sentence by sentence; each names no slot and no value yet.

    One that tells of a dead end, or of a change that its commit does not bear out, may bring a fact into doubt and
    changes none (``given_up``). A commit without a change says nothing.
    """
    commits = {commit.id: commit for commit in evidence.commits}
    found = [
        sentence
        for saying in said
        if saying.by_person
        and saying.mood in _TOLD
        and not saying.long
        and len(saying.text) <= LONGEST
        and len(saying.text.split()) >= FEWEST_WORDS
        and (may_leave(saying.text) or brings_news(saying.text))
        and (sentence := _sentence(saying, commits.get(saying.source.id)))
    ]
    return tuple(found[:MOST_UNREAD])


def _sentence(saying: Saying, commit: Commit | None) -> Proposal | None:
    at = saying.at + _LAST
    if commit is not None and not (commit.files or commit.manifests):
        return None
    source = saying.source
    return Proposal(
        slot=Slot(PROJECT, CHOICE),
        cardinality=Cardinality.ONE,
        kind=FactKind.GENERAL,
        value="",
        statement=shortened(saying.text, LONGEST_STATEMENT),
        standing=Standing.PERSON,
        valid_from=at,
        evidence=(Evidence(source.kind, source.id, at, source.session, source.commit),),
        stated=False,
        given_up=saying.mood is Mood.DEAD_END or not (commit is None or _borne_out(saying.text, commit)),
        told=in_full(saying.text),
        doubt=True,
    )


def _borne_out(text: str, commit: Commit) -> bool:
    """Whether the change names one of the technologies that the sentence names, where it names any."""
    named = technologies(text)
    return not named or any(supports(commit, name, FactKind.STACK) for name in named)
