"""A labelled set: sessions that were held, and questions with the sessions (and turns) that answer them."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from schema.records import Exchange, Unit

_SPACE = uuid.UUID("6f0e3b52-8a7c-4a8e-9d55-0d3c6a1f7b11")
ROOT = "/home/dev/project"

# Why a question cannot be asked; what an adapter returns in its place.
NO_QUESTION = "it has no words"
NO_EVIDENCE = "it names no evidence"
NOT_THERE = "its evidence is not in the conversation"
TWICE = "its evidence has numbers that the conversation gives twice"


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
    """Sessions that are searched together, with their questions; ``now`` is when these are asked.

    ``left_out`` counts the questions that cannot be asked, by reason.
    """

    name: str
    sessions: tuple[Held, ...]
    asks: tuple[Ask, ...]
    now: datetime
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def project(self) -> str:
        """The project's id, the same in every run."""
        return number(self.name)


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """One benchmark: corpora that are searched apart and averaged over all their questions.

    ``lost`` counts, by reason, questions of which not even a corpus could be made.
    """

    name: str
    corpora: tuple[Corpus, ...]
    note: str = ""
    lost: Mapping[str, int] = field(default_factory=dict)

    def left_out(self) -> dict[str, int]:
        """Count every question that cannot be asked, by reason."""
        return dict(sum((Counter(corpus.left_out) for corpus in self.corpora), Counter(self.lost)))

    def chosen(self, half: int | None = None, most: int | None = None) -> list[tuple[Corpus, list[Ask]]]:
        """Return the corpora that have questions to ask, with these.

        Every question, or every second one from ``half``; of them at most ``most``, evenly over the whole set.
        """
        every = [(corpus, ask) for corpus in self.corpora for ask in corpus.asks]
        wanted = every if half is None else every[half::2]
        if most is not None and most < len(wanted):
            wanted = [wanted[place * len(wanted) // most] for place in range(most)]
        by_corpus: dict[str, tuple[Corpus, list[Ask]]] = {}
        for corpus, ask in wanted:
            by_corpus.setdefault(corpus.name, (corpus, []))[1].append(ask)
        return list(by_corpus.values())


def sifted(found: Iterable[Ask | str]) -> tuple[tuple[Ask, ...], Counter[str]]:
    """Part the questions that can be asked from the reasons why others cannot."""
    asks: list[Ask] = []
    left_out: Counter[str] = Counter()
    for one in found:
        if isinstance(one, str):
            left_out[one] += 1
        else:
            asks.append(one)
    return tuple(asks), left_out


class Names:
    """Gives every thing a name of its own where a file uses one twice."""

    def __init__(self) -> None:
        """Nothing is named yet."""
        self._given: Counter[str] = Counter()

    def own(self, name: str) -> str:
        """``name``, or with a number behind it where it was given before."""
        self._given[name] += 1
        return name if self._given[name] == 1 else f"{name}#{self._given[name]}"


def number(*parts: str) -> str:
    """Return a UUID that always is the same for the same parts."""
    return str(uuid.uuid5(_SPACE, "\x1f".join(parts)))
