"""One thing the doctor found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """``broken`` loses events or memory now, ``warning`` will or may, ``ok`` was looked at and works."""

    OK = "ok"
    WARNING = "warning"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """``check`` names what was looked at, ``what`` is the finding as a sentence, ``do`` what helps (none
    if ok)."""

    level: Level
    check: str
    what: str
    do: str = ""


def ok(check: str, what: str) -> Finding:
    """A check that found all well."""
    return Finding(Level.OK, check, what)


def warning(check: str, what: str, do: str) -> Finding:
    """A check that found something a person should look at."""
    return Finding(Level.WARNING, check, what, do)


def broken(check: str, what: str, do: str) -> Finding:
    """A check that found something that does not work."""
    return Finding(Level.BROKEN, check, what, do)
