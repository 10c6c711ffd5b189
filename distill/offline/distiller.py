"""The offline distiller: the same evidence gives the same distillate, with no model and no network."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from distill.identity import short_key
from distill.offline.facts import proposals
from distill.offline.fixes import fixes
from distill.offline.happenings import happenings
from distill.offline.sayings import Saying, sayings
from distill.offline.summary import changed_files, summary_of, title_of
from schema.records import Distillate, Draft, Evidence, NewEvent, SessionEvidence
from schema.speech import shortened

MOST_EVENTS = 40
MOST_DRAFTS = 10
MOST_FILES = 20

_DRAFTS = (
    ("BU", re.compile(r"^(?:bug|known bug|defect)\b\s*[:-]\s*(?P<what>.{8,})", re.IGNORECASE)),
    ("TA", re.compile(r"^(?:todo|follow[- ]?up|task|later)\b\s*[:-]\s*(?P<what>.{8,})", re.IGNORECASE)),
    ("FE", re.compile(r"^(?:feature(?: request)?|idea)\b\s*[:-]\s*(?P<what>.{8,})", re.IGNORECASE)),
    ("RE", re.compile(r"^requirement\b\s*[:-]\s*(?P<what>.{8,})", re.IGNORECASE)),
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
        )


def _unique(events: Sequence[NewEvent]) -> tuple[NewEvent, ...]:
    return tuple({event.key: event for event in reversed(events)}.values())[::-1]


def _drafts(said: Sequence[Saying]) -> tuple[Draft, ...]:
    found: dict[str, Draft] = {}
    for saying in said:
        for type_, pattern in _DRAFTS:
            match = pattern.match(saying.text)
            if match and saying.by_person:
                title = shortened(match["what"].rstrip("."), 120)
                key = short_key("draft", type_, title.lower())
                source = Evidence(saying.source.kind, saying.source.id, saying.at, saying.source.session)
                found.setdefault(key, Draft(type_, title, saying.text, key, (source,)))
    return tuple(found.values())[:MOST_DRAFTS]
