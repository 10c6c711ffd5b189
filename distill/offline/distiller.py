"""The offline distiller: the same evidence gives the same distillate, with no model and no network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from distill.identity import short_key
from distill.offline.facts import proposals
from distill.offline.fixes import fixes
from distill.offline.happenings import happenings
from distill.offline.labels import Label
from distill.offline.sayings import Saying, sayings
from distill.offline.summary import changed_files, summary_of, title_of
from distill.offline.unread import unread
from schema.records import Distillate, Draft, Evidence, NewEvent, SessionEvidence
from schema.speech import shortened, without_lead

MOST_EVENTS = 40
MOST_DRAFTS = 10
MOST_FILES = 20

_DRAFTS = (
    ("BU", re.compile(r"^(?:known )?(?:bug|defect)(?:\s*:\s*|\s+[-–—]\s+)(?P<what>.{8,})", re.IGNORECASE)),
    ("TA", re.compile(r"^(?:follow[- ]?up|task|later)(?:\s*:\s*|\s+[-–—]\s+)(?P<what>.{8,})", re.IGNORECASE)),
    (
        "FE",
        re.compile(r"^(?:feature(?: request)?|idea)(?:\s*:\s*|\s+[-–—]\s+)(?P<what>.{8,})", re.IGNORECASE),
    ),
    ("RE", re.compile(r"^requirement(?:\s*:\s*|\s+[-–—]\s+)(?P<what>.{8,})", re.IGNORECASE)),
)


class OfflineDistiller:
    """Distils a session by rules alone."""

    name = "offline"

    def distil(self, evidence: SessionEvidence) -> Distillate:
        """Return what ``evidence`` came to; never raises on any text."""
        said = sayings(evidence)
        events = sorted((*happenings(said), *fixes(evidence, said)), key=lambda event: event.at)
        files = tuple(changed_files(evidence)[:MOST_FILES])
        filed = tuple(event if event.files else replace(event, files=files) for event in events[:MOST_EVENTS])
        return Distillate(
            title=title_of(evidence, filed),
            summary=summary_of(evidence, filed),
            events=_unique(filed),
            proposals=proposals(evidence, said, filed),
            drafts=_drafts(said),
            by=self.name,
            unread=unread(evidence, said),
        )


def _unique(events: Sequence[NewEvent]) -> tuple[NewEvent, ...]:
    return tuple({event.key: event for event in reversed(events)}.values())[::-1]


def _drafts(said: Sequence[Saying]) -> tuple[Draft, ...]:
    found: dict[str, Draft] = {}
    for saying in said:
        for type_, what in _asked_for(saying) if saying.by_person else ():
            title = shortened(what.rstrip("."), 120)
            key = short_key("draft", type_, title.lower())
            source = Evidence(saying.source.kind, saying.source.id, saying.at, saying.source.session)
            found.setdefault(key, Draft(type_, title, saying.text, key, (source,)))
    return tuple(found.values())[:MOST_DRAFTS]


def _asked_for(saying: Saying) -> Iterator[tuple[str, str]]:
    if saying.label is Label.TASK:
        yield "TA", saying.text
        return
    text = without_lead(saying.text)
    for type_, pattern in _DRAFTS:
        if match := pattern.match(text):
            yield type_, match["what"]
