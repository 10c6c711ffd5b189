"""Which files and code names a text names: what a rescan looks for in the tree."""

from __future__ import annotations

import re

_PATH = re.compile(r"(?<![\w/.-])(?:[\w.-]+/)+[\w.-]+\.\w{1,8}\b|`([\w.-]+\.\w{1,8})`")
_SYMBOL = re.compile(r"`([A-Za-z_][\w.]*(?:\(\))?)`")


def paths_named(text: str) -> tuple[str, ...]:
    """Return the paths that ``text`` names, once each."""
    return tuple(dict.fromkeys(match[1] or match[0] for match in _PATH.finditer(text)))


def symbols_named(text: str) -> tuple[str, ...]:
    """Return the code names that ``text`` puts in backticks; what looks like a file's name is none."""
    found = (match[1].removesuffix("()") for match in _SYMBOL.finditer(text))
    return tuple(name for name in found if "." not in name or not name.rpartition(".")[2].islower())
