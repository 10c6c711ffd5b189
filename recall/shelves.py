"""Where memories stand among the units: a shared one has the kind ``memory``, a personal one also names its user.

``memory:USER`` holds the user's memory bank, ``remembered:USER`` what the user's agents remember. Words and vectors are
counted and searched by kind, so that nobody's ranking depends on what others saved; row security reads the same name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from schema.scope import Scope

MEMORY = "memory"
REMEMBERED = "remembered"
NOWHERE = "00000000-0000-0000-0000-000000000000"  # the project of what belongs to a person alone


def bank(user: str) -> str:
    """The kind of the units of ``user``'s memory bank."""
    return f"{MEMORY}:{user}"


def remembered(user: str) -> str:
    """The kind of the units of what ``user``'s agents remember for themselves."""
    return f"{REMEMBERED}:{user}"


def plain(kind: str) -> str:
    """The kind a reader sees: that of a personal unit is ``memory``."""
    return MEMORY if ":" in kind else kind


def shelved(kinds: Iterable[str], user: str) -> tuple[str, ...]:
    """``kinds`` with the shelves of ``user`` beside ``memory``."""
    wanted = tuple(dict.fromkeys(kinds))
    own = (bank(user), remembered(user)) if user and MEMORY in wanted else ()
    return wanted + own


def reached(scope: Scope) -> Scope:
    """``scope`` with the place of what belongs to its user and to no project."""
    if scope.projects is None or not scope.user:
        return scope
    return replace(scope, projects=(*scope.projects, NOWHERE))
