"""Where an item can go, and what keeps a use case from being done. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from schema.backlog import STATES


class Item(Protocol):
    """What is needed of an item."""

    @property
    def number(self) -> str:
        """Its number."""

    @property
    def state(self) -> str:
        """One of STATES."""

    @property
    def use_case(self) -> str | None:
        """The number of the use case it belongs to."""


@dataclass(frozen=True, slots=True)
class Case:
    """A use case with how many of its items there are, and which are not done."""

    item: Item
    total: int
    waiting: tuple[str, ...]


def case_of(case: Item, items: Sequence[Item]) -> Case:
    """A use case with those of ``items`` that belong to it."""
    own = [one for one in items if one.use_case == case.number]
    return Case(case, len(own), tuple(one.number for one in own if one.state != "done"))


def moves(state: str) -> tuple[str | None, tuple[str, ...]]:
    """The one state forward (None from the last), and those back, the nearest first."""
    place = STATES.index(state)
    return (STATES[place + 1] if place + 1 < len(STATES) else None), STATES[:place][::-1]
