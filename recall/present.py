"""From a ranked list to what is shown: grouped by session, at most three units of one, inside a budget of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from recall.candidates import Candidate

PER_SESSION = 3
CHARS_PER_TOKEN = 4
OVERHEAD = 40  # tokens of a result's labels
MOST_CHARS = 1600
INDEX_CHARS = 200  # of a result in an index: with its labels under a hundred tokens
LEAST_CHARS = 120


@dataclass(frozen=True, slots=True)
class Room:
    """How much may be shown: ``tokens`` in all, ``chars`` of one result."""

    tokens: int
    chars: int


def grouped(order: Sequence[Candidate], limit: int) -> list[tuple[int, Candidate]]:
    """Return (place, unit) for the first ``limit`` distinct owners, each with up to three of its best units."""
    groups: dict[str, list[Candidate]] = {}
    for unit in order:
        group = groups.setdefault(unit.owner, [])
        if len(group) < PER_SESSION:
            group.append(unit)
    shown = list(groups.values())[:limit]
    return [(place, unit) for place, group in enumerate(shown, start=1) for unit in group]


def within(
    texts: Mapping[int, str],
    order: Sequence[int],
    budget: int,
    most_chars: int = MOST_CHARS,
    lengths: Mapping[int, int] = MappingProxyType({}),
) -> dict[int, str]:
    """Cut texts so that all fit ``budget`` tokens, first come first; what would be too short to read is left out.

    ``lengths`` says how long a text was before it came here, where that is more than is here.
    """
    left = budget
    kept: dict[int, str] = {}
    for unit in order:
        room = min(most_chars, (left - OVERHEAD) * CHARS_PER_TOKEN)
        if room < LEAST_CHARS and kept:
            break
        kept[unit] = clipped(texts[unit], max(room, LEAST_CHARS), lengths.get(unit, 0))
        left -= OVERHEAD + len(kept[unit]) // CHARS_PER_TOKEN
    return kept


def clipped(text: str, room: int, chars: int = 0) -> str:
    """Return ``text``, or its beginning with a mark that says how long the whole is (``chars``, if it was longer)."""
    whole = max(len(text), chars)
    if whole <= room and whole == len(text):
        return text
    mark = f" [cut: {whole} characters in all]"
    return text[: max(room - len(mark), 0)].rstrip() + mark
