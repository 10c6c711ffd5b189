"""Two states of a file's symbols: which were added, removed and changed. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from limbeck.ship.code.symbols import Symbol

ADDED, REMOVED, CHANGED = "added", "removed", "changed"


@dataclass(frozen=True, slots=True)
class Change:
    """One symbol that is not as it was: ``symbol`` as it is now (as it was, where it was removed).

    ``was`` and ``now`` are its places among the symbols before and after, None where it is not there.
    """

    change: str
    symbol: Symbol
    was: int | None
    now: int | None


def changes(before: Sequence[Symbol], after: Sequence[Symbol]) -> list[Change]:
    """Return what changed: first what is there now in its order, then what is gone.

    Symbols are the same by kind and name. Where several share both, those that say the same are paired first and
    the rest in their order.
    """
    left = defaultdict(list)
    for place, symbol in enumerate(before):
        left[symbol.kind, symbol.name].append(place)
    new: list[int] = []
    for place, symbol in enumerate(after):
        old = left[symbol.kind, symbol.name]
        same = next((one for one in old if before[one].digest == symbol.digest), None)
        if same is None:
            new.append(place)
        else:
            old.remove(same)
    told = []
    for place in new:
        symbol = after[place]
        old = left[symbol.kind, symbol.name]
        if old:
            told.append(Change(CHANGED, symbol, old.pop(0), place))
        else:
            told.append(Change(ADDED, symbol, None, place))
    gone = sorted(place for places in left.values() for place in places)
    return [*told, *(Change(REMOVED, before[place], place, None) for place in gone)]
