"""Stable pages: a cursor holds the place of the last row, so that what is added meanwhile moves nothing."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from schema.ids import whole_id
from server.errors import BadInput

Row = TypeVar("Row")


def page(
    rows: Sequence[Row], limit: int, place: Callable[[Row], Sequence[object]]
) -> tuple[list[Row], str | None]:
    """Return the first ``limit`` of ``rows`` and the cursor that goes on after them; ask for one row more than that."""
    shown = list(rows[:limit])
    return shown, encoded(place(shown[-1])) if len(rows) > limit else None


def encoded(place: Sequence[object]) -> str:
    """Return a place (texts and times) as a cursor."""
    parts = [part.isoformat() if isinstance(part, datetime) else str(part) for part in place]
    return base64.urlsafe_b64encode(json.dumps(parts, ensure_ascii=False).encode()).decode().rstrip("=")


def decoded(cursor: str, size: int) -> list[str]:
    """Return the ``size`` parts of a cursor. Raises BadInput where no list gave it."""
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        raise _foreign() from None
    if not isinstance(parts, list) or len(parts) != size or not all(isinstance(part, str) for part in parts):
        raise _foreign()
    if any("\0" in part for part in parts):
        raise _foreign()
    return parts


def moment_and_id(cursor: str | None) -> tuple[datetime, str] | None:
    """Return the (time, id) of a cursor; None without one. Raises BadInput."""
    if cursor is None:
        return None
    at, identifier = decoded(cursor, 2)
    return moment(at), known_id(identifier)


def moment(part: str) -> datetime:
    """Return a cursor's time. Raises BadInput."""
    try:
        at = datetime.fromisoformat(part)
    except ValueError:
        raise _foreign() from None
    if at.tzinfo is None or not 1 < at.year < 9999:
        raise _foreign()
    return at


def known_id(part: str) -> str:
    """Return a cursor's id. Raises BadInput."""
    found = whole_id(part)
    if found is None:
        raise _foreign()
    return found


def _foreign() -> BadInput:
    return BadInput(what="cursor", why="it is not one that this list gave")
