"""The repositories of the code proof: for each reader, files before and after a change, and what they
prove.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from limbeck.bench import facts_files as files

Truth = set[tuple[str, str, str]]


@dataclass(slots=True)
class Case:
    """One repository: ``true_*`` are (subject, attribute, value) of every fact that stands after each
    commit.
    """

    name: str
    reader: str
    before: dict[str, str | None]
    after: dict[str, str | None]
    true_before: Truth
    true_after: Truth
    languages_before: dict[str, int] = field(default_factory=dict)
    languages_after: dict[str, int] = field(default_factory=dict)


def cases(seed: int) -> list[Case]:
    """Return all cases: three of each reader, with names and versions drawn from ``seed``, and the
    language moves.
    """
    made = [case for number in range(3) for case in _manifests(Random(f"code {seed} {number}"), number)]  # noqa: S311
    return made + list(_languages())


def _manifests(random: Random, number: int) -> Iterator[Case]:
    for reader, make in files.MAKERS.items():
        path, before, true_before = make(random)
        removed = number == 2
        _, after, true_after = make(random)
        while not removed and after == before:
            _, after, true_after = make(random)
        yield Case(
            f"{reader}-{number}",
            reader,
            {path: before},
            {path: None if removed else after},
            true_before,
            set() if removed else true_after,
        )


def _languages() -> Iterator[Case]:
    moves = (
        ("Python", "Rust"),
        ("Ruby", "Go"),
        ("Java", "Kotlin"),
        ("PHP", "Elixir"),
    )
    for old, new in moves:
        yield Case(
            f"language-{old}-{new}",
            "languages",
            {},
            {},
            {("backend", "language", old)},
            {("backend", "language", new)},
            {old: 4_000, "Shell": 50},
            {old: 300, new: 5_000, "Shell": 50},
        )
    yield Case(
        "language-frontend",
        "languages",
        {},
        {},
        {("backend", "language", "Go"), ("frontend", "language", "JavaScript")},
        {("backend", "language", "Go"), ("frontend", "language", "TypeScript")},
        {"Go": 3_000, "JavaScript": 2_000},
        {"Go": 3_100, "JavaScript": 200, "TypeScript": 2_500},
    )
