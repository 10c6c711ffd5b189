"""Claims about what has its own kind of value: versions, ports, owners, dates, names and places in the code."""

from __future__ import annotations

import re

from distill.offline.claim import Claim
from distill.shapes import is_date, is_identifier, is_path, is_proper, is_quantity, is_version
from distill.slots import CHOICE, PROJECT, VERSION, canonical
from distill.values import kind_of_value, tidy
from distill.vocabulary import KINDS, SUBJECTS

PORT, OWNER, DEADLINE, NAME, RETENTION = "port", "owner", "deadline", "name", "retention"
RUNTIMES = {
    "node",
    "node.js",
    "nodejs",
    "deno",
    "jdk",
    "jre",
    ".net",
    "dotnet",
    "terraform",
    "jvm",
    "ios",
    "android",
}
# What a thing has one value of; "the timeout for the importer" is the importer's.
_SETTING = re.compile(
    r"port|deadline|owner|version|timeout|limit|size|length|width|depth|interval|ttl|threshold|region|budget|"
    r"quota|concurrency|retries|replicas|workers|level|path|endpoint|url|host|bucket|rate|delay|window|memory|"
    r"schedule|lead|contact|maintainer|reviewer|reviewers|date|domain|zone|tier|namespace"
)
# What a word at the end of a subject says that it is a role somebody or something fills.
_ROLE = re.compile(
    r"storage|store|provider|service|framework|library|engine|tool|hosting|management|monitoring|logging|"
    r"tracking|styling|orm|queue|bus|registry|warehouse|gateway|proxy|cdn|dns|license|licence|stack|language|"
    r"runtime|compiler|backend|frontend|renderer|parser|scheduler|broker|vendor|platform|chat|wiki|vpn|cms|crm|"
    r"erp|font|editor|board|site|generator|client|system|speech"
)
_OWNED = re.compile(r"(?P<name>.+?) (?P<link>of|for|in|on) (?:the |our )?(?P<of>.+)", re.IGNORECASE)
_CHANGE = re.compile(
    r" (?:(?:has|was|is|got) )?(?:just )?(?:moved|changed|switched|migrated|update|change|switch|move)$"
)
_NAMED = re.compile(r"(?P<name>[A-Za-z.#+]+(?: [A-Za-z]+)?)[ -]v?(?P<version>\d+(?:\.\d+)*(?:\.x)?)(?: LTS)?")
_PERSON = re.compile(
    r"(?!(?:Who|Nobody|Everyone|It|This|That|We|You|They|He|She|I|Ownership)\b)"
    r"(?:@[\w-]+|[A-Z][a-z'’-]+(?: [A-Z][a-z'’.-]*){0,2}|(?:[Tt]he )?[\w-]+(?: [\w-]+)? team)"
)
_OLD = re.compile(r"^(?:old|past|all|closed|inactive|ended|finished) ", re.IGNORECASE)
_DUE = re.compile(r" (?:deadline|due date|release date|launch|release)$", re.IGNORECASE)
_PORT = re.compile(r"(?:the )?port (?P<port>\d{2,5})", re.IGNORECASE)


def owned(subject: str) -> tuple[str, str]:
    """Split "the pool size of the importer" into what and whose; the second is empty where nobody's."""
    match = _OWNED.fullmatch(_CHANGE.sub("", subject))
    if match is None or (match["link"].lower() != "of" and not is_setting(match["name"])):
        return _CHANGE.sub("", subject), ""
    return match["name"], match["of"]


def is_setting(name: str) -> bool:
    """Say whether ``name`` is called by something that has a value of its own: "the pool size", "request timeout"."""
    return bool(_SETTING.fullmatch(last_word(name)))


def last_word(name: str) -> str:
    """Return the last word of a name, in its one spelling."""
    return tidy(name).lower().replace("_", " ").rpartition(" ")[2]


def is_role(subject: str) -> bool:
    """Say whether ``subject`` names a role or a setting, of which a project has one."""
    name = canonical(subject)
    return (
        name in KINDS
        or name in SUBJECTS.values()
        or is_setting(subject)
        or bool(_ROLE.fullmatch(last_word(subject)))
    )


def with_kind(claim: Claim) -> Claim:
    """Give a claim about a version or a port the attribute that it is about."""
    if claim.attribute != CHOICE:
        return claim
    known = kind_of_value(claim.subject) is not None or canonical(claim.subject) in RUNTIMES
    if known and is_version(claim.value) and canonical(claim.subject) not in KINDS:
        return _about(claim, claim.subject, VERSION, claim.value)
    if match := _PORT.fullmatch(claim.value):
        return _about(claim, claim.subject, PORT, match["port"])
    return claim


def running_on(value: str) -> Claim | None:
    """Return what "we are on Node 18" says of the version of a runtime or a language."""
    match = _NAMED.fullmatch(tidy(value))
    if match is None or not (
        canonical(match["name"]) in RUNTIMES or kind_of_value(match["name"]) == "language"
    ):
        return None
    return _about(Claim(PROJECT, value), match["name"], VERSION, match["version"])


def settled(sense: str, subject: str, value: str, old: str, owner: str) -> Claim | None:
    """Return the claim a pattern of its own found, or None where the value is not of its kind."""
    name = tidy(subject)
    if sense in {"owner", "owner moved"}:
        if not _PERSON.fullmatch(value) or kind_of_value(value) is not None:
            return None
        claim = Claim(
            name, value, attribute=OWNER, owner=owner, wording=f"{_started(name)} is owned by {value}"
        )
    elif (
        sense == "deadline" and is_date(value) and not value.lower().endswith("day")
    ):  # Monday is another one soon
        name = owner if owner and _DUE.fullmatch(f" {name}") else _DUE.sub("", name)
        claim = Claim(name, value, attribute=DEADLINE, wording=f"The deadline of {name} is {value}")
    elif sense == "retention":
        name = tidy(_OLD.sub("", name))
        claim = Claim(name, value, attribute=RETENTION, wording=f"{_started(name)}: kept for {value}")
    elif sense == "port" and is_quantity(value):
        claim = _about(Claim(name, value, owner=owner), name, PORT, value)
    elif sense == "renamed" and is_identifier(name) and is_identifier(value):
        claim = Claim(name, value, attribute=NAME, wording=f"{name} was renamed: it is called {value}")
    elif sense == "relocated" and is_path(old) and is_path(value):
        claim = Claim(old, value, wording=f"{old} moved to {value}")
    elif sense == "set" and (is_quantity(value) or is_proper(value)):
        claim = Claim(
            name, value, owner=owner, wording=f"The {name}{' of ' + tidy(owner) if owner else ''} is {value}"
        )
    else:
        return None
    return claim


def _about(claim: Claim, subject: str, attribute: str, value: str) -> Claim:
    name = tidy(subject)
    if attribute == PORT:
        wording = f"{_started(name)} listens on port {value}"
    else:
        wording = f"The {attribute} of {name} is {value}"
    return Claim(
        name,
        value,
        attribute=attribute,
        owner=claim.owner,
        scope=claim.scope,
        replaces=claim.replaces,
        negated=claim.negated,
        wording=wording,
    )


def _started(name: str) -> str:
    return name[:1].upper() + name[1:]
