"""Times as labelled sets write them."""

from __future__ import annotations

from datetime import UTC, datetime

_FORMS = (
    "%I:%M %p on %d %B, %Y",  # 1:56 pm on 8 May, 2023
    "%I:%M %p on %d %B %Y",
    "%Y/%m/%d (%a) %H:%M",  # 2023/05/20 (Sat) 02:21
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d",
    "%d.%m.%Y, %H:%M:%S",  # 29.12.2023, 11:23:21
    "%d.%m.%Y, %H:%M",
    "%B-%d-%Y",  # March-15-2024
    "%b-%d-%Y",
    "%B %d, %Y",
)


def time_of(written: object) -> datetime | None:
    """Return the time that ``written`` tells, in UTC where it names no zone; None for what is no time."""
    if not isinstance(written, str):
        return None
    plain = " ".join(written.split())
    for form in _FORMS:
        try:
            return datetime.strptime(plain, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    try:
        at = datetime.fromisoformat(plain)
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
