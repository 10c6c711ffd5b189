"""Slots: what a fact is about, in canonical names.

Two sentences speak of one slot where their subject, attribute and scope come out equal here. A functional
attribute holds one current value in a slot, an additive one holds many.
"""

from __future__ import annotations

import re

from distill.vocabulary import KIND_OF, KINDS, SUBJECTS
from schema.records import Cardinality, FactKind, Slot

CHOICE = "choice"
USES = "uses"
LANGUAGE = "language"
VERSION = "version"
RULE = "rule"
DEPENDENCY = "dependency"

ADDITIVE = {
    USES + " also",
    DEPENDENCY,
    "development dependency",
    "target",
    "script",
    "service",
    "provider",
    "job",
    "exposed port",
    "component",
    "supports",
    "convention",
}
PROJECT = "project"
LONGEST_NAME = 80

_LEADING = re.compile(
    r"^(?:the|a|an|our|my|your|its|their|this|that|all|each|every|any|project's|current|existing|new|updated|"
    r"overall)\s+",
    re.IGNORECASE,
)
_ENDING = re.compile(
    r"(?:(.+?) )?(?:programming |implementation )?"
    r"(language|version|licen[cs]e|port|owner|maintainer|contact|deadline|due date)"
)
_ATTRIBUTES = {"licence": "license", "due date": "deadline", "maintainer": "owner", "contact": "owner"}
_MOST = re.compile(r"^(?:max|maximum|maximal) (?=.*(?:length|size|width)$)")
_KIND_WORD = re.compile(
    r"(?<=\w) (?:service|component|module|subsystem|microservice|library|"
    r"tool|tooling|system|provider|solution|platform|"
    r"technology|software|layer|vendor|purpose|need)$"
)
_SEPARATORS = re.compile(r"[\s_]+")
_EDGES = re.compile(r"^[\s\"'`*_(\[.,;:]+|[\s\"'`*_)\].,;:!?]+$")
_KEEP_S = (
    "ss",
    "us",
    "is",
    "os",
    "redis",
    "kubernetes",
    "nats",
    "https",
    "aws",
    "sqs",
    "ecs",
    "css",
    "dns",
    "tls",
    "rails",
)


def canonical(text: str) -> str:
    """Return a subject's one spelling: lower case, no article, singular, known aliases resolved."""
    name = _SEPARATORS.sub(" ", _EDGES.sub("", text).lower()).strip()
    while (shorter := _LEADING.sub("", name)) != name:
        name = shorter
    name = _MOST.sub("", name)
    if name in SUBJECTS:
        return SUBJECTS[name]
    words = [SUBJECTS[word] if word in ("db", "config", "repo") else word for word in name.split(" ")]
    name = " ".join(_singular(word) for word in words)
    spaced = _KIND_WORD.sub("", name.replace("-", " "))
    return SUBJECTS.get(name) or SUBJECTS.get(spaced) or spaced[:LONGEST_NAME].strip()


def slot(subject: str, attribute: str = CHOICE, *, of: str = "", scope: str = "") -> Slot:
    """Build the canonical slot for names as people write them.

    "The database of billing", "billing's database" and "the billing database" are one subject; a "...
    language" or "... version" becomes the attribute. ``scope`` is where it holds ("production"), empty
    for the whole project.
    """
    owner, name, kind = canonical(of), canonical(subject), attribute.strip().lower() or CHOICE
    if owner and owner not in (PROJECT, name):
        name = owner if name == PROJECT else f"{owner} {name}"
    if kind in {CHOICE, LANGUAGE, VERSION} and (match := _ENDING.fullmatch(name)):
        name, kind = match[1] or PROJECT, _ATTRIBUTES.get(match[2], match[2])
    if kind == USES and name in KINDS:
        kind = CHOICE
    if kind == LANGUAGE and name in {PROJECT, "server"}:
        name = "backend"
    return Slot(subject=name[:LONGEST_NAME].strip(), attribute=kind, scope=_place(scope))


def cardinality(attribute: str) -> Cardinality:
    """Return whether slots of ``attribute`` hold one current value or many."""
    return Cardinality.MANY if attribute in ADDITIVE else Cardinality.ONE


def kind_of(slot: Slot) -> FactKind:
    """Return the kind of fact a slot holds when nothing says otherwise."""
    if slot.attribute in {RULE, "convention"}:
        return FactKind.CONVENTION
    if slot.attribute in {
        LANGUAGE,
        VERSION,
        DEPENDENCY,
        "development dependency",
        "provider",
        "image",
        USES + " also",
    }:
        return FactKind.STACK
    if slot.attribute in {"component", "service"}:
        return FactKind.COMPONENT
    if slot.attribute == "license":
        return FactKind.CONSTRAINT
    if slot.attribute in {CHOICE, USES} and (slot.subject in KINDS or slot.attribute == USES):
        return FactKind.STACK
    return FactKind.GENERAL


def label(slot: Slot) -> str:
    """Return a slot in a reader's words: "database of billing", "backend language"."""
    name = slot.subject if slot.attribute in {CHOICE, USES, RULE} else f"{slot.subject} {slot.attribute}"
    return f"{name} of {slot.scope}" if slot.scope else name


def _place(scope: str) -> str:
    """Where something holds, in one spelling; "the tests" are a place here, not the test framework."""
    return "tests" if canonical(scope) == "test framework" else canonical(scope)


def _singular(word: str) -> str:
    if len(word) < 4 or word in KIND_OF or word.endswith(_KEEP_S) or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1]
