"""Both nets over a state before anything of it is written: value by value, never over serialised text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from capture.net import second_net
from projection.okf.state import State
from schema.records import Fact

# Ids of ours and hashes of commits: no rule is to take one for a key.
_IDENTIFIER = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64}"
)
_IDENTIFIERS = frozenset(
    {"id", "version", "fact", "session", "superseded_by", "commit", "commits", "sha", "project"}
)

REMEMBERED = 100_000
_found_clean: set[int] = set()  # hashes of versions; one with a secret in it is never kept


def clean(state: State) -> State:
    """Return ``state`` with every text through the hook's net and the server's; the same object where all is clean."""
    cleaned: State = _clean(state, "")
    return cleaned


def clean_facts(facts: Iterable[Fact]) -> list[Fact]:
    """Facts that came from outside, with every text through both nets."""
    return [_clean(fact, "") for fact in facts]


def clean_text(text: str) -> str:
    """One text through both nets, without NUL."""
    return second_net(text)[0].replace("\x00", "\ufffd")


def _clean(held: Any, name: str) -> Any:
    if isinstance(held, Fact):
        return _fact(held)
    if isinstance(held, str) and not isinstance(held, Enum):
        if name in _IDENTIFIERS and _IDENTIFIER.fullmatch(held):
            return held
        return clean_text(held)
    if isinstance(held, tuple):
        found = tuple(_clean(one, name) for one in held)
        changed = any(new is not old for new, old in zip(found, held, strict=True))
        return found if changed else held
    if is_dataclass(held) and not isinstance(held, type):
        return _fields(held)
    return held


def _fact(held: Fact) -> Fact:
    """A version never changes, so one that was found clean is not searched again by this process."""
    mark = hash(held)
    if mark in _found_clean:
        return held
    cleaned: Fact = _fields(held)
    if cleaned is held:
        if len(_found_clean) >= REMEMBERED:
            _found_clean.clear()
        _found_clean.add(mark)
    return cleaned


def _fields(held: Any) -> Any:
    values: dict[str, Any] = {}
    for one in fields(held):
        before = getattr(held, one.name)
        after = _clean(before, one.name)
        if after is not before:
            values[one.name] = after
    return replace(held, **values) if values else held
