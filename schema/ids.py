"""Ids of rows: the same UUIDv7 the hooks make, and what of one a person or an agent may type."""

from __future__ import annotations

import re
from uuid import UUID

from capture.ids import new_id

__all__ = ["FEWEST", "new_id", "reach", "recognised", "whole_id"]

FEWEST = 4  # characters that are a beginning of an id
HELD = "~"  # ends the name of a session that was told with a token held to some projects; what it is held to follows

# What an agent calls a session or a call by: the whole of it is an id, in a form that no rule of either net takes
# for a secret (a test holds them to that), so it need not be searched for one. Cloud keys would show inside.
_IDENTIFIER = re.compile(
    rf"[0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{12}}(?:{HELD}[0-9a-f]{{12}})?"
    r"|(?!.*A(?:KIA|SIA|BIA|CCA|3T))(?:toolu_01[A-Za-z0-9]{22}|call_[A-Za-z0-9]{24})"
)


def recognised(value: object) -> bool:
    """Whether ``value`` is as a whole an identifier of an agent's making."""
    return isinstance(value, str) and _IDENTIFIER.fullmatch(value) is not None


def whole_id(typed: str) -> str | None:
    """Return ``typed`` in the form ids are kept in; None where it is no whole id."""
    try:
        return str(UUID(typed)) if len(typed) == 36 else None
    except ValueError:
        return None


def reach(start: str) -> tuple[str, str] | None:
    """Return the lowest and the highest id that begin with ``start``, so that an index finds them.

    None where ``start`` is no beginning of an id.
    """
    digits = start.lower().replace("-", "")
    if not 0 < len(digits) <= 32 or set(digits) - set("0123456789abcdef"):
        return None
    return str(UUID(digits.ljust(32, "0"))), str(UUID(digits.ljust(32, "f")))
