"""The boundary both classifiers stand behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from schema.material import Material
from schema.records import Draft


@dataclass(frozen=True, slots=True)
class Standing:
    """A use case, item or draft that is there already: its number, or a draft's id, with its type and title."""

    key: str
    type: str
    title: str


@dataclass(frozen=True, slots=True)
class Batch:
    """What is read at once, in order of time, and what stands already. ``session`` is the run's id: its cap pays."""

    client: str
    project: str
    session: str
    materials: Sequence[Material]
    standing: Sequence[Standing] = ()


class Classifier(Protocol):
    """Turns material into proposals. What is known already is sorted out later, by code."""

    @property
    def name(self) -> str:
        """Return the name that is kept with each draft."""

    def classify(self, batch: Batch) -> tuple[Draft, ...]:
        """Return proposals. Raises a LimbeckError whose ``permanent`` says whether to try again."""
