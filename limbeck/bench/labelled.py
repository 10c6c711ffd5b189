"""A labelled set: sessions that were held, and questions with the sessions (and turns) that answer them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime

from schema.records import Exchange, Unit

_SPACE = uuid.UUID("6f0e3b52-8a7c-4a8e-9d55-0d3c6a1f7b11")
ROOT = "/home/dev/project"


@dataclass(frozen=True, slots=True)
class Called:
    """One tool call of a session: on which file (as the agent named it), or with which shell command."""

    at: datetime
    tool: str
    path: str | None = None
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """One session as it was held, in the folder ``root``.

    ``files`` are what it changed, told apart from its ``calls``; ``units`` are scripted things that came of it.
    """

    session: str
    exchanges: tuple[Exchange, ...]
    files: tuple[str, ...] = ()
    calls: tuple[Called, ...] = ()
    root: str = ROOT
    units: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """One question. ``gold`` are session ids, none meaning that nothing answers it; ``turns`` exchange ids.

    ``updated`` and ``original`` are ids of units of which the first replaced the second.
    """

    query: str
    gold: frozenset[str]
    category: str = ""
    turns: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    updated: frozenset[str] = frozenset()
    original: frozenset[str] = frozenset()
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sessions that are searched together, with their questions; ``now`` is when these are asked."""

    name: str
    sessions: tuple[Held, ...]
    asks: tuple[Ask, ...]
    now: datetime

    @property
    def project(self) -> str:
        """The project's id, the same in every run."""
        return number(self.name)


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """One benchmark: corpora that are searched apart and averaged over all their questions."""

    name: str
    corpora: tuple[Corpus, ...]
    note: str = field(default="")


def number(*parts: str) -> str:
    """Return a UUID that always is the same for the same parts."""
    return str(uuid.uuid5(_SPACE, "\x1f".join(parts)))
