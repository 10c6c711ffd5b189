"""How well a fact's slot is what a question asks for: "the cache" asks for the cache, not for the fragment cache."""

from __future__ import annotations

import re
from collections.abc import Collection

from recall.synonyms import EXPANSIONS
from recall.words import EXACT, words

ANSWERS = 2.0  # a fact whose slot is just what was asked for
LEAST = 0.5  # of what its words are worth, for one whose slot is mostly of something else
# Names of a role that would find too much as words of a question, and only say here which fact was meant.
_ALIKE = """
    email mail
    styling style css
    logging log logs
    bundler bundle bundled bundles
    storage store stored
    owner owns owned responsible
    deadline due launch ship
    length long
    name called named renamed
    task job background
    hosting deploy deployed host hosted
    monitoring monitor alerting
"""
ALSO = {word: tuple(group) for group in (line.split() for line in _ALIKE.split("\n")) for word in group}
EVERYBODY = {"project", "choice", "uses", "also", "rule"}
_ENDING = re.compile(r"(?<=\w{3})(?:ings?|ers?|ed|es|s|e)$")


def fit(slot: str | None, asked: Collection[str]) -> float:
    """Return the part, 0 to 1, of a slot's words ("subject/attribute/scope") that the ``asked`` words name, themselves
    or by another name; 0 where there is no slot, or it is about no one thing.
    """
    plain = {word for word in words((slot or "").replace("/", " ")) if not word.startswith(EXACT)}
    told = {_stem(word) for word in plain - EVERYBODY}
    if not told:
        return 0.0
    named = {_stem(word.removeprefix(EXACT)) for word in asked}
    named |= {_stem(o) for word in asked for o in (*EXPANSIONS.get(word, ()), *ALSO.get(word, ()))}
    return len(told & named) / len(told)


def _stem(word: str) -> str:
    return _ENDING.sub("", word.lower())
