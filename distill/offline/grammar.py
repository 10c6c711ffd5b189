"""What a clause states: who uses what for which purpose, and what it replaced."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from distill.offline.names import is_name, is_subject, trimmed, without_tail
from distill.offline.patterns import PATTERNS
from distill.slots import CHOICE, DEPENDENCY, LANGUAGE, PROJECT, USES, canonical
from distill.values import kind_of_value, tidy
from distill.vocabulary import KINDS

LONGEST_CLAUSE = 220

_PLACE = re.compile(
    r"^(?:in |on )?(?P<first>production|prod|staging|development|dev|ci|tests)\b[,:]?\s+(?=(?:we|the|our)\b)"
    r"|\s+(?:in|on|for) (?P<last>production|prod|staging|development|local development|dev)$",
    re.IGNORECASE,
)
_LIST = re.compile(r",\s*(?:and |or )?|\s+(?:and|as well as|plus)\s+|^both\s+", re.IGNORECASE)
_OVER = re.compile(
    r"(?P<new>.+?),? (?:(?P<sure>instead of|rather than|in place of)|over|not) (?P<old>.+)", re.IGNORECASE
)
_PLACES = {"prod": "production", "dev": "development", "local development": "development"}
_CHOICES = {
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


@dataclass(frozen=True, slots=True)
class Claim:
    """What one clause states. ``replaces`` and ``stated`` as in Proposal; ``owner`` is whose subject it
    is.
    """

    subject: str
    value: str
    attribute: str = CHOICE
    owner: str = ""
    scope: str = ""
    replaces: str | None = None
    negated: bool = False
    stated: bool = True
    wording: str = ""


def claims_of(clause: str) -> list[Claim]:
    """Return what ``clause`` (without its reasons) states; several values side by side are a claim each."""
    claim = claim_of(clause) or claim_of(clause.partition(", ")[0])
    if claim is None or (claim.stated and claim.attribute not in _BESIDE.values()):
        return [] if claim is None else [claim]
    values = [trimmed(part) for part in _LIST.split(claim.value) if part.strip()]
    if len(values) == 1 or not all(is_name(value) for value in values):
        return [claim]
    return [_with_value(claim, value) for value in values]


def claim_of(clause: str) -> Claim | None:
    """Return what ``clause`` (without its reasons) states, or None where it states no fact we can place."""
    text = clause.strip().rstrip(".!;: ")
    if len(text) > LONGEST_CLAUSE:
        return None
    place = _PLACE.search(text)
    scope = (place["first"] or place["last"]).lower() if place else ""
    text = _PLACE.sub("", text).strip()
    for pattern, sense in PATTERNS:
        match = pattern.fullmatch(text)
        if match and (claim := _claim(sense, match.groupdict())):
            return replace(claim, scope=_PLACES.get(scope, scope))
    return None


def _claim(sense: str, holes: dict[str, str | None]) -> Claim | None:
    value, old = _chosen_over(holes.get("V") or "", holes.get("O") or "")
    subject, purpose = (
        without_tail((holes.get("S") or "").strip()),
        without_tail((holes.get("P") or "").strip()),
    )
    owner = (holes.get("OF") or "").strip()
    owner = "" if owner.lower() == "choice" else owner
    if sense == "done" and re.match(r"(?:the|a|an|our|this|that)\b", (holes.get("V") or "").lower()):
        return None
    stative = sense.startswith("is") or sense in {"changed", "kept"}
    listed = sense in _BESIDE or sense == "implied"
    values = _LIST.split(value) if listed else [value]
    if not all(is_name(trimmed(v), stative=stative) for v in values if v) or (old and not is_name(old)):
        return None
    if sense.startswith("kept") and re.match(r"\w+ing\b", subject):
        return None
    if any(name and not is_subject(name) for name in (subject, purpose, owner)):
        return None
    claim = _sense(sense, subject, purpose, value, (holes.get("R") or "").lower())
    if claim is None:
        return None
    replaces = old or ("" if (holes.get("NOW") or "").strip() or sense in _NEWS else None)
    return replace(
        claim,
        owner=owner or claim.owner,
        wording=f"The {tidy(subject)} of {tidy(owner)} is {value}" if owner else claim.wording,
        negated=sense.startswith("gone"),
        replaces=None if sense in {"gone", "gone supports", *_BESIDE} else replaces,
    )


def _chosen_over(value: str, old: str) -> tuple[str, str]:
    """ "Rust instead of Python" is one value and what it was chosen over, wherever it stands in a sentence."""
    match = None if old else _OVER.fullmatch(value)
    if match and (match["sure"] or _rivals(match["new"], match["old"])):
        value, old = match["new"], match["old"]
    return trimmed(value), trimmed(old)


def _rivals(new: str, old: str) -> bool:
    kind = kind_of_value(trimmed(new))
    return kind is not None and kind == kind_of_value(trimmed(old))


_NEWS = {"moved", "changed", "is now", "written"}
_BESIDE = {"supports": "supports", "gone supports": "supports", "also": USES + " also", "depends": DEPENDENCY}


def _sense(sense: str, subject: str, purpose: str, value: str, relation: str) -> Claim | None:
    whole = _started(tidy(subject)) or "The project"
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
    if sense.startswith("is") and (kind_of_value(subject) or _backwards(subject, value)):
        return None
    if subject and purpose and canonical(subject) != PROJECT:
        wording = f"{whole} uses {value} for {tidy(purpose)}"
        return Claim(purpose, value, owner=subject, wording=wording)
    if subject or purpose:
        return _roled(sense, subject, purpose, value, relation.replace("now ", ""))
    if sense == "implied" and re.search(r" (?:for|as) ", value):
        return None
    kind = kind_of_value(value)
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
