"""The offline classifier: the same material gives the same proposals, with no model and no network.

A heading with requests below it, or a sentence that says what somebody wants to be able to do with others after it, is
a use case with what belongs to it. A request alone goes to the use case whose words it has, if there is one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from backlog.classify.boundary import Batch, Standing
from backlog.classify.sentences import LONGEST_TITLE, Request, commit_request, request_in, task
from backlog.likeness import belongs, words
from backlog.references import mentioned
from schema.backlog import USE_CASE
from schema.material import Material
from schema.records import Draft
from schema.speech import addresses_the_memory, own_words, sentences, shortened

MOST = 40  # requests of one material
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(?P<what>\S.*?)\s*#*$|^(?P<line>[A-Z][^.!?:]{3,80}):$")
_BOX = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[(?P<mark>[ xX])\]\s+(?P<what>\S.*)$")
_BORING = re.compile(r"^(?:merge|revert|fixup!|squash!|amend!|wip\b|bump\b|release\b)", re.IGNORECASE)
_TRAILER = re.compile(r"^[\w-]+-[\w-]+: \S")


@dataclass(slots=True)
class _Section:
    heading: str
    found: list[Request] = field(default_factory=list)


class OfflineClassifier:
    """Classifies by rules alone."""

    name = "offline"

    def classify(self, batch: Batch) -> tuple[Draft, ...]:
        """Return the proposals that ``batch`` gives; never raises on any text."""
        found: list[Draft] = []
        for material in batch.materials:
            sections = _commit(material) if material.kind == "commit" else _told(material)
            for section in sections:
                found += _drafts(material, section, batch.standing)
        return tuple({draft.key: draft for draft in found}.values())


def _commit(material: Material) -> list[_Section]:
    """A commit that names an item is work on that item; of others the subject, and what the body leaves to do."""
    subject, _, body = material.text.strip().partition("\n")
    if mentioned(material.text) or _BORING.match(subject):
        return []
    section = _Section("")
    if (first := commit_request(subject.strip())) is not None:
        section.found.append(first)
    lines = [line for line in body.splitlines() if not _TRAILER.match(line)]
    later = (request_in(sentence) for sentence in sentences("\n".join(lines)))
    section.found += [one for one in later if one is not None and one.type in {"TA", "BU"}][:MOST]
    return [section]


def _told(material: Material) -> list[_Section]:
    """The requests of a text, by the heading they stand under."""
    sections = [_Section(material.title.strip())]
    count = 0
    for line in own_words(material.text).splitlines():
        heading = _HEADING.match(line)
        if heading is not None and request_in(heading["what"] or heading["line"]) is None:
            sections.append(_Section(heading["what"] or heading["line"]))
            continue
        for request in _in_line(line, after_another=bool(sections[-1].found)):
            if count < MOST:
                sections[-1].found.append(request)
                count += 1
    return [section for section in sections if section.found]


def _in_line(line: str, *, after_another: bool) -> Iterator[Request]:
    box = _BOX.match(line)
    if box is not None and box["mark"] != " ":
        return  # ticked off
    for sentence in sentences(box["what"] if box is not None else line):
        if addresses_the_memory(sentence):
            continue
        found = request_in(sentence, after_another=after_another)
        if found is None and box is not None:
            found = task(sentence)
        if found is not None:
            after_another = True
            yield found


def _drafts(material: Material, section: _Section, standing: Sequence[Standing]) -> list[Draft]:
    top, rest = _use_case(section)
    cases = [(one.key, one.title) for one in standing if one.type == USE_CASE]
    if top is None:
        return [_at_home(_draft(material, one), cases) for one in rest]
    parent = _draft(material, top)
    return [parent, *(replace(_draft(material, one), parent=parent.key) for one in rest)]


def _use_case(section: _Section) -> tuple[Request | None, list[Request]]:
    """The use case that a section's requests belong to, if they have one of their own."""
    stated = next((one for one in section.found if one.type == USE_CASE), None)
    rest = [
        one if one.type != USE_CASE else replace(one, type="FE") for one in section.found if one is not stated
    ]
    if stated is not None or len(rest) < 2:
        return stated, rest
    if section.heading and len(words(section.heading)) > 0:
        return Request(USE_CASE, shortened(section.heading, LONGEST_TITLE), "", broad=True), rest
    if rest[0].broad:
        return replace(rest[0], type=USE_CASE), rest[1:]
    return None, rest


def _draft(material: Material, request: Request) -> Draft:
    told = "\x1f".join((request.type, request.title.lower(), material.kind, material.id))
    key = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:16]
    return Draft(request.type, request.title, request.text, key, (material.evidence,))


def _at_home(draft: Draft, cases: Sequence[tuple[str, str]]) -> Draft:
    home = belongs(f"{draft.title} {draft.text}", cases)
    if home is None:
        return draft
    is_number = home[:2] == USE_CASE
    return replace(draft, use_case=home if is_number else None, parent=None if is_number else home)
