"""Cyclomatic complexity, as lizard counts it: of each symbol that is a function, and of the file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from limbeck.ship.code.grammars import FUNCTION, METHOD, Grammar
from limbeck.ship.code.symbols import Symbol

_LAST = re.compile(r"~?[\w$#]+(?=\W*$)")


@dataclass(frozen=True, slots=True)
class Complexity:
    """``each`` goes with the symbols that were given, None where lizard found no such function.

    ``total`` is the sum over the ``functions`` that lizard found, None where it could not read the text.
    """

    each: tuple[int | None, ...]
    total: int | None = None
    functions: int | None = None


def complexity(grammar: Grammar, text: str, symbols: Sequence[Symbol]) -> Complexity:
    """Measure ``text``; whatever lizard cannot read has no numbers."""
    try:
        found = _lizard().analyze_source_code(grammar.lizard, text).function_list
    except Exception:  # a reader of foreign text: what it trips over is not ours to foresee
        return Complexity((None,) * len(symbols))
    by_name = defaultdict(list)
    for function in found:
        by_name[_last(function.name)].append(function)
    each = tuple(_matching(symbol, by_name[_last(symbol.name)]) for symbol in symbols)
    return Complexity(each, sum(one.cyclomatic_complexity for one in found), len(found))


def _matching(symbol: Symbol, functions: Sequence[Any]) -> int | None:
    """The number of the function of this name that begins first inside the symbol."""
    if symbol.kind not in (FUNCTION, METHOD):
        return None
    inside = [one for one in functions if symbol.start <= one.start_line <= symbol.end]
    if not inside:
        return None
    return int(min(inside, key=lambda one: one.start_line).cyclomatic_complexity)


def _last(name: str) -> str:
    found = _LAST.search(name)
    return found.group() if found else name


@lru_cache(maxsize=1)
def _lizard() -> Any:
    return import_module("lizard").analyze_file
