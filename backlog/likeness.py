"""Whether two proposals ask for the same. Pure, and careful: what is merged wrongly is lost, a repeat is one click.

Titles are compared by their telling words, cut to a stem, without what any request says ("we need", "add", "fix").
They are alike where one says nothing that the other does not say too, and to remove a thing is not to add it. Where
both rest on the same evidence, half of the words in common are enough: that is one request in two wordings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from schema.backlog import USE_CASE

FEWEST = 2  # words that a shorter title needs before it can stand for a longer one
SAME_EVIDENCE = 0.5

_WORD = re.compile(r"[a-z0-9][\w.+#/-]*", re.IGNORECASE)
_SAID_OF_ANYTHING = """
    a an the this that these those it its our your their my we i you they he she and or but so as at by for from in
    into of on onto to with without via is are was were be been being do does did has have had can could should would
    will shall must may might need needs needed want wants wanted like please make makes sure get gets let lets
    add adds added adding fix fixes fixed fixing implement implements implemented implementing support supports
    supporting create creates build builds introduce introduces allow allows allowing provide provides
    bug bugs defect feature features task tasks todo requirement policy issue issues problem request ticket
    there here when where which who what how if then also too just still now again new some any all every
"""
_PLAIN = frozenset(_SAID_OF_ANYTHING.split())
_OPPOSED = frozenset({"remov", "drop", "delet", "disabl", "deprecat", "hid"})
_ENDINGS = ("ations", "ation", "ingly", "ings", "ing", "edly", "ed", "es", "s", "ly")


@dataclass(frozen=True, slots=True)
class Said:
    """What is compared of a proposal: its type, its title, and the ids of its evidence."""

    type: str
    title: str
    evidence: frozenset[str] = frozenset()

    @property
    def level(self) -> bool:
        """Use cases are compared with use cases, what belongs to them with its like."""
        return self.type == USE_CASE


def alike(one: Said, other: Said) -> bool:
    """Whether the two ask for the same."""
    if one.level is not other.level:
        return False
    mine, theirs = words(one.title), words(other.title)
    if not mine or not theirs:
        return one.title.strip().lower() == other.title.strip().lower()
    if (mine ^ theirs) & _OPPOSED:
        return False
    shared = len(mine & theirs)
    smaller = min(len(mine), len(theirs))
    if shared == smaller and (smaller >= FEWEST or mine == theirs):
        return True
    return bool(one.evidence & other.evidence) and shared / smaller >= SAME_EVIDENCE


def belongs(title: str, use_cases: Iterable[tuple[str, str]]) -> str | None:
    """Return the key of the use case (pairs of key and title) whose words a title has most of, two at least."""
    mine = words(title)
    best, key = 1, None
    for its_key, its_title in use_cases:
        shared = len(mine & words(its_title))
        if shared > best:
            best, key = shared, its_key
    return key


@lru_cache(maxsize=20_000)
def words(title: str) -> frozenset[str]:
    """Return the stems of a title's telling words."""
    found = (match.group().lower().strip("./-") for match in _WORD.finditer(title))
    return frozenset(_stem(word) for word in found if word and word not in _PLAIN)


def _stem(word: str) -> str:
    """A word without its ending; names with digits or signs stay whole."""
    if not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] in "ey":
        word = word[:-1] + ("i" if word[-1] == "y" else "")
    return word
