"""Values: when two wordings mean the same thing."""

from __future__ import annotations

import re

from distill.vocabulary import CANONICAL, KIND_OF

_EDGES = re.compile(r"^[\s\"'`*_(\[.,;:]+|[\s\"'`*_)\].,;:!?]+$")
_SPACES = re.compile(r"\s+")
_ARTICLE = re.compile(r"^(?:the|a|an|our|plain|just|simply|only)\s+", re.IGNORECASE)
_VERSIONED = re.compile(
    r"^(?P<name>[^\d].*?)[\s:@v-]*\bv?(?P<version>\d+(?:\.\d+)*(?:\.x)?)\+?$", re.IGNORECASE
)


def tidy(value: str) -> str:
    """Return a value as it is shown: outer quotes, articles and punctuation removed, case kept."""
    text = _SPACES.sub(" ", _EDGES.sub("", value)).strip()
    while (shorter := _ARTICLE.sub("", text)) != text:
        text = shorter
    return text


def split_version(value: str) -> tuple[str, str]:
    """Split "Postgres 16" into ("postgres", "16"); the version is empty where none is named."""
    name = tidy(value).lower()
    if name in CANONICAL:
        return CANONICAL[name], ""
    match = _VERSIONED.match(name)
    if match and len(match["name"].strip()) > 1:
        bare = match["name"].strip()
        return CANONICAL.get(bare, bare), match["version"]
    return CANONICAL.get(name, name), ""


def value_key(value: str) -> str:
    """Return the key under which a value is one and the same: spelling, case and version removed."""
    name, _version = split_version(value)
    return _SPACES.sub(" ", re.sub(r"[\s_-]+", " ", name)).strip() or "-"


def additive_key(value: str) -> str:
    """Return the key of one value among many: unlike ``value_key`` it keeps the version, "Node 20" is not
    "Node 22".
    """
    return f"{value_key(value)} {split_version(value)[1]}".strip()


def same(left: str, right: str) -> bool:
    """Say whether two values mean the same: one name, and versions that do not contradict."""
    if value_key(left) != value_key(right):
        return False
    mine, other = split_version(left)[1], split_version(right)[1]
    return not mine or not other or mine == other


def kind_of_value(value: str) -> str | None:
    """Return the role a well-known technology plays ("database" for Postgres), or None."""
    return KIND_OF.get(split_version(value)[0])
