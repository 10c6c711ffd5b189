"""Whole numbers out of what a request says."""

from __future__ import annotations

DIGITS = 18  # what fits into the database's numbers


def whole(text: str | None) -> int | None:
    """Return the number that ``text`` writes in plain digits; None for everything else.

    ``str.isdigit`` alone would let through signs that ``int`` refuses, and lengths that it refuses.
    """
    given = text or ""
    return int(given) if given.isascii() and given.isdigit() and len(given) <= DIGITS else None
