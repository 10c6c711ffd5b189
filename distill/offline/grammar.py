"""What a clause states: who uses what for which purpose, and what it replaced."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from distill.offline.claim import Claim
from distill.offline.names import is_name, is_subject, trimmed, without_tail
from distill.offline.patterns import PATTERNS
from distill.offline.settled import RUNTIMES, is_role, owned, running_on, settled, with_kind
from distill.shapes import is_path, is_proper, is_region, shape
from distill.slots import CHOICE, DEPENDENCY, LANGUAGE, PROJECT, USES, canonical
from distill.values import kind_of_value, tidy
from distill.vocabulary import KINDS

LONGEST_CLAUSE = 220

_ENVIRONMENT = r"production|prod|staging|(?:local )?development|dev|ci|qa|sandbox"
_PLACE = re.compile(
    rf"^(?:(?:in|on|for) )?(?P<first>{_ENVIRONMENT}|(?<=for )the tests|(?<=in )the (?:tests|test suite))\b"
    r"(?:(?: only| alone)?[,:]\s+|(?: only| alone)?\s+(?=(?:we|the|our|use|uploads)\b))"
    r"|^(?:in|on) (?:the |our )?(?P<app>(?:mobile|web|desktop|admin|ios|android|[\w-]+) (?:app|apps|site|client|cli|"
    r"dashboard|worker|portal))(?: only| alone)?[,:]?\s+(?=(?:we|the|our|use)\b)"
    rf"|\s+(?:in|on|for) (?:the )?(?P<last>{_ENVIRONMENT}|(?<=in the )tests|test suite|(?:mobile|web|desktop) app)"
    r"(?: only| alone| environment)*$",
    re.IGNORECASE,
)
_LIST = re.compile(r",\s*(?:and |or )?|\s+(?:and|as well as|plus)\s+|^both\s+", re.IGNORECASE)
_OVER = re.compile(
    r"(?P<new>.+?),? (?:(?P<sure>instead of|rather than|in place of)|over|not) (?P<old>.+)", re.IGNORECASE
)
# The verb that people use for a role.
_TRADES = {
    **{"log": "logging", "style": "styling", "lint": "linter", "format": "formatter", "bundle": "bundler"},
    **{"monitor": "monitoring", "bill": "billing", "authenticate": "auth", "track": "tracking"},
}
_SETTLED = {
    "owner",
    "owner moved",
    "deadline",
    "deadline moved",
    "port",
    "renamed",
    "relocated",
    "set",
    "retention",
}
_PLACES = {"prod": "production", "dev": "development", "local development": "development"}
_CHOICES = {
    "label",
    "moved",
    "changed",
    "is",
    "is over",
    "is now",
    "chosen",
    "chosen over",
    "on",
    "on over",
    "done",
    "used over",
    "kept",
    "kept over",
}


def claims_of(clause: str) -> list[Claim]:
    """Return what ``clause`` (without its reasons) states; several values side by side are a claim each."""
    claim = next((found for part in _parts(clause) if (found := claim_of(part))), None)
    if claim is None or (claim.stated and claim.attribute not in _BESIDE.values()):
        return [] if claim is None else [claim]
    values = [trimmed(part) for part in _LIST.split(claim.value) if part.strip()]
    if len(values) == 1 or not all(is_name(value) for value in values):
        version = running_on(claim.value) if not claim.stated and not claim.negated else None
        return (
            [claim]
            if version is None
            else [version]
            if canonical(version.subject) in RUNTIMES
            else [claim, version]
        )
    return [_with_value(claim, value) for value in values]


def _parts(clause: str) -> list[str]:
    """The clause, and what is left of it without what was added before or after its statement."""
    first, _, rest = clause.partition(", ")
    head, _, told = clause.partition(": ")
    return [clause, first, rest.rpartition(", ")[2], head, told, clause.partition(" and ")[0]]


@lru_cache(maxsize=2048)  # a session asks of one clause several times: for its events, its facts, its answers
def claim_of(clause: str) -> Claim | None:
    """Return what ``clause`` (without its reasons) states, or None where it states no fact we can place."""
    text = clause.replace("`", "").strip().rstrip(".!;:? ")
    if not text or len(text) > LONGEST_CLAUSE:
        return None
    place = _PLACE.search(text)
    scope = (place["first"] or place["app"] or place["last"]).lower() if place else ""
    text = _PLACE.sub("", text).strip()
    for pattern, sense in PATTERNS:
        match = pattern.fullmatch(text)
        if match and (claim := _claim(sense, match.groupdict())):
            if sense in {"practice", "hosted"}:
                claim = replace(claim, wording=_started(without_tail(text)))
            return replace(claim, scope=_PLACES.get(scope, scope) or claim.scope)
    return None


def _claim(sense: str, holes: dict[str, str | None]) -> Claim | None:
    value, old = _chosen_over(holes.get("V") or "", holes.get("O") or "")
    subject, owner = owned(without_tail((holes.get("S") or "").strip()))
    purpose = without_tail((holes.get("P") or "").strip())
    if sense == "chosen" and _turned(value, purpose):
        purpose, value = value, trimmed(purpose)
    if sense == "moved" and not subject and _ROLE.match(holes.get("O") or ""):
        sense, subject, old = "changed", (holes.get("O") or "").strip(), ""
    owner = (holes.get("OF") or owner).strip()
    owner = "" if owner.lower() == "choice" else owner
    if sense == "done" and re.match(r"(?:the|a|an|our|this|that)\b", (holes.get("V") or "").lower()):
        return None
    stative = sense.startswith("is") or sense in {"changed", "kept", "bare", "label"}
    listed = sense in _BESIDE or sense in {"implied", "picked"}
    values = _LIST.split(value) if listed else [value]
    if sense == "practice" and (holes.get("V") or "").lower().partition(" ")[0] in _ENVIRONMENTS:
        return None
    if (
        sense == "on"
        and is_path(value)
        and re.search(r"(?:is|are) (?:now )?(?:in|on)$", holes.get("R") or "")
    ):
        return None
    if sense in {"port", "set"} and re.search(r" (?:runs?|listens?|is)$", subject):
        return None
    if not all(is_name(trimmed(v), stative=stative) for v in values if v) or (old and not is_name(old)):
        return None
    if sense.startswith("kept") and re.match(r"\w+ing\b", subject):
        return None
    if any(name and not is_subject(name) for name in (subject, purpose, owner)):
        return None
    if sense in _STRICT and not all(_names(v) or (sense == "on" and is_path(v)) for v in values if v):
        return None
    if sense != "relocated" and not (subject or purpose or owner) and shape(value) != "name":
        return None
    again = bool(_NEWLY.search(holes.get("V") or ""))
    claim = _sense(sense, subject, purpose, value, (holes.get("R") or "").lower(), old, owner, again=again)
    if claim is None:
        return None
    fresh = (holes.get("NOW") or "").strip() or again or sense in _NEWS
    replaces = old or ("" if fresh else None)
    held = replace(
        claim,
        owner=owner or claim.owner,
        wording=f"The {tidy(subject)} of {tidy(owner)} is {value}"
        if owner and claim.attribute == CHOICE
        else claim.wording,
        negated=sense.startswith("gone"),
        replaces=None if sense in {"gone", "gone supports", *_BESIDE} else replaces,
    )
    return replace(held if held.negated else with_kind(held), form=sense)


def _turned(value: str, purpose: str) -> bool:
    """ "Target board is the RP2040": the name stands last."""
    words, last = value.split(), purpose.rpartition(" ")[2]
    return len(words) > 1 and words[-1].islower() and not last.islower() and canonical(purpose) not in KINDS


def _names(value: str) -> bool:
    return is_proper(value) and shape(value) == "name" and not _WITHIN.search(value)


def _chosen_over(value: str, old: str) -> tuple[str, str]:
    """ "Rust instead of Python" is one value and what it was chosen over, wherever it stands in a sentence."""
    match = None if old else _OVER.fullmatch(value)
    if match and (match["sure"] or _rivals(match["new"], match["old"])):
        value, old = match["new"], match["old"]
    return trimmed(value), trimmed(old)


def _rivals(new: str, old: str) -> bool:
    kind = kind_of_value(trimmed(new))
    return kind is not None and kind == kind_of_value(trimmed(old))


_NEWS = {
    *("moved", "changed", "is now", "written", "set", "renamed", "relocated"),
    *("swapped", "owner moved", "deadline moved", "setting moved", "picked"),
}
# A value that only a name of its own tells from ordinary words.
_STRICT = {"swapped", "implied", "picked", "also", "practice", "hosted", "on"}
_NEWLY = re.compile(r" (?:now|again|from (?:today|now on|here on)|as of (?:today|now))$", re.IGNORECASE)
_ROLE = re.compile(r"(?:[Tt]he|[Oo]ur) (?:[\w-]+ )*[a-z][a-z-]+$")
_WITHIN = re.compile(r" (?:in|on|for|with|from|at) ")
_ENVIRONMENTS = {"production", "prod", "staging", "development", "dev", "ci", "qa", "sandbox"}
_BESIDE = {"supports": "supports", "gone supports": "supports", "also": USES + " also", "depends": DEPENDENCY}


def _sense(
    sense: str,
    subject: str,
    purpose: str,
    value: str,
    relation: str,
    old: str,
    owner: str,
    *,
    again: bool = False,
) -> Claim | None:
    whole = _started(tidy(subject)) or "The project"
    if sense in _SETTLED:
        return settled(
            sense.removesuffix(" moved") if sense != "owner moved" else "owner", subject, value, old, owner
        )
    if sense == "at most":
        measured = (
            f"{re.sub(r's$', '', tidy(subject).lower())} length"
            if "line" in subject.lower()
            else f"{tidy(subject)} limit"
        )
        return Claim(measured, value, wording=f"{whole} are at most {value}")
    if sense in {"setting", "setting moved"}:
        return Claim(subject, value, owner=owner)
    if sense == "hosted":
        return Claim("hosting", value, wording=f"Hosting: {value}")
    if sense == "practice":
        return Claim(_TRADES.get(subject.lower(), subject), value, wording=f"{whole}: {value}")
    if sense == "bare" and not (
        (is_role(subject) or again) and (is_proper(value) or (shape(value) != "name"))
    ):
        return None
    where, _, rest = subject.lower().partition(" ")
    if where in _ENVIRONMENTS and (purpose or rest or is_region(value)):
        claim = _sense(sense, rest or ("" if purpose else "region"), purpose, value, "", old, owner)
        return claim and replace(claim, scope=_PLACES.get(where, where))
    if sense == "written":
        return Claim(subject, value, attribute=LANGUAGE, wording=f"{whole} is written in {value}")
    if sense in _BESIDE:
        verb = {
            "supports": "supports",
            "gone supports": "no longer supports",
            "also": "also uses",
            "depends": "depends on",
        }[sense]
        ending = f" for {tidy(purpose)}" if purpose else ""
        wording = f"{whole} {verb} {value}{ending}"
        return Claim(subject or PROJECT, value, attribute=_BESIDE[sense], wording=wording)
    if sense == "related":
        return Claim(subject, value, attribute=_base(relation), wording=f"{whole} {relation} {value}")
    technology = kind_of_value(subject) and canonical(subject) not in KINDS
    if (sense.startswith("is") or sense in {"bare", "label"}) and (technology or _backwards(subject, value)):
        return None
    if subject and purpose and canonical(subject) != PROJECT:
        wording = f"{whole} uses {value} for {tidy(purpose)}"
        return Claim(purpose, value, owner=subject, wording=wording)
    if subject or purpose:
        return _roled(sense, subject, purpose, value, relation.replace("now ", ""))
    if sense == "implied" and re.search(r" (?:for|as) ", value):
        return None
    kind = kind_of_value(value)
    if kind is None and _WITHIN.search(value):
        return None
    if sense == "picked":
        return Claim(
            kind or PROJECT,
            value,
            stated=False,
            wording=f"{_started(kind)}: {value}" if kind else f"The project uses {value}",
        )
    if kind == "language":
        return Claim("backend", value, attribute=LANGUAGE, stated=False, wording=f"The project uses {value}")
    wording = f"{_started(kind)}: {value}" if kind else f"The project uses {value}"
    return Claim(kind or PROJECT, value, stated=False, wording=wording)


def _roled(sense: str, subject: str, purpose: str, value: str, verb: str) -> Claim:
    """A claim with one name besides its value: the purpose it serves, or the thing that uses or is it."""
    role = purpose or subject
    name = tidy(role)
    if kind_of_value(value) == "language" and canonical(role) not in KINDS:
        return Claim(role, value, attribute=LANGUAGE, wording=f"{_started(name)} is written in {value}")
    if purpose:
        return Claim(role, value, wording=f"{_started(name)}: {value}")
    if verb:
        return Claim(role, value, wording=f"{_started(name)} {verb} {value}")
    if sense in _CHOICES or canonical(role) in KINDS:
        plural = _uses(name) == "use"
        return Claim(
            role, value, wording=f"{_started(name)}: {value}" if plural else f"The {name} is {value}"
        )
    return Claim(role, value, attribute=USES, wording=f"{_started(name)} {_uses(name)} {value}")


def _base(relation: str) -> str:
    """One spelling of a relation: "expire after" and "expires after" are one attribute."""
    verb, _, rest = relation.replace("are ", "is ", 1).partition(" ")
    base = verb if verb == "is" else re.sub(r"(?<=sh)es$|s$", "", verb)
    return f"{base} {rest}".strip()


def _uses(name: str) -> str:
    return "use" if re.search(r"[a-z]{2}(?<!s)s$", name) and name == name.lower() else "uses"


def _started(name: str) -> str:
    return name[:1].upper() + name[1:]


def _with_value(claim: Claim, value: str) -> Claim:
    wording = claim.wording.replace(claim.value, value)
    if claim.stated:
        return replace(claim, value=value, wording=wording)
    kind = kind_of_value(value)
    wording = f"{_started(kind)}: {value}" if kind else f"The project uses {value}"
    return replace(claim, subject=kind or PROJECT, value=value, wording=wording)


def _backwards(subject: str, value: str) -> bool:
    """ "Postgres is the database": the second name is the subject."""
    return canonical(value) in KINDS and canonical(subject) not in KINDS
