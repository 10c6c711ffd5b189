"""Ids of rows: the same UUIDv7 the hooks make, and what of one a person or an agent may type."""

from __future__ import annotations

from uuid import UUID

from capture.ids import new_id

__all__ = ["new_id", "reach", "whole_id"]


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
