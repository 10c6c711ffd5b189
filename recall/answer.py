"""What a question may see, and what it gets back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from recall.times import Window
from schema.records import Evidence
from schema.scope import Scope

__all__ = ["Answer", "Hit", "Scope", "Signal"]


@dataclass(frozen=True, slots=True)
class Signal:
    """What one signal said of a result: its place in that signal's list (from 1) and its raw score."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One recalled unit. ``place`` is its session's place in the order of distinct sessions, from 1.

    ``chars`` is the length of the stored text; where ``cut`` is true ``text`` is its beginning.
    """

    kind: str
    ref: str
    project: str
    title: str
    text: str
    chars: int
    cut: bool
    at: datetime
    place: int
    score: float
    session: str | None = None
    files: tuple[str, ...] = ()
    standing: str | None = None
    slot: str | None = None
    current: bool = True
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    freshness: str | None = None
    doubt: str | None = None
    evidence: tuple[Evidence, ...] = ()
    signals: dict[str, Signal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """The results in order, and how they were found.

    ``signals`` tells for each signal whether it ran, or why not. ``note`` is a sentence for the reader where there is
    something to say (nothing relevant, a window that held nothing).
    """

    query: str
    hits: tuple[Hit, ...]
    signals: dict[str, str]
    window: Window | None = None
    history: bool = False
    note: str = ""
    left_out: int = 0

    @property
    def nothing(self) -> bool:
        """True where nothing relevant was found."""
        return not self.hits
