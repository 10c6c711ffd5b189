"""What a log may hold of an error that nobody foresaw: where it happened, and of which kind it is."""

from __future__ import annotations

import traceback

from capture.errors import CaptureError
from schema.errors import LimbeckError


def told(error: BaseException) -> str:
    """Return what a log or a person may read of ``error``: our own words, what the system said of a file, or its kind.

    The words of any other error may repeat what was stored.
    """
    if isinstance(error, LimbeckError | CaptureError):
        return str(error)
    kind = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        return f"{kind}: {error.strerror}" + (f": {error.filename!r}" if error.filename else "")
    return kind


def places(error: BaseException) -> str:
    """Return the kind of ``error`` and the places it passed, with those of what led to it; never its own words.

    They may repeat what was stored: a database quotes the row that it refuses.
    """
    told: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        told.append(
            type(current).__name__ + "\n" + "".join(traceback.format_tb(current.__traceback__)).rstrip()
        )
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "\nafter ".join(told)
