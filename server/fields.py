"""Values that many operations take: what each means and how much of it, in one wording."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

FIRST_YEAR, LAST_YEAR = 1970, 2200
_NUMBER = re.compile(r"[+-]?[\d.]*(e[+-]?\d+)?", re.IGNORECASE)


def _whole_day(value: Any) -> Any:
    """A bare date is the moment at which it begins, in UTC; a number is no time."""
    if isinstance(value, str):
        try:
            day = date.fromisoformat(value.strip())
        except ValueError:
            if not _NUMBER.fullmatch(value.strip()):
                return value
        else:
            return datetime(day.year, day.month, day.day, tzinfo=UTC)
    if not isinstance(value, datetime):
        raise ValueError("a time is written as 2026-03-01 or 2026-03-01T12:00:00+01:00")
    return value


def _placed(value: datetime) -> datetime:
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValueError(f"the year must lie between {FIRST_YEAR} and {LAST_YEAR}")
    if value.tzinfo is None:
        raise ValueError(
            "a time needs its offset from UTC, as in 2026-03-01T12:00:00+01:00 or with a Z at the end"
        )
    return value.astimezone(UTC)


Moment = Annotated[datetime, BeforeValidator(_whole_day), AfterValidator(_placed)]
ProjectName = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=500,
        description="Its name, remote or id; without it every project you may see.",
    ),
]
OneProject = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=500,
        description="Its name, remote or id; not needed where you can see only one.",
    ),
]
Path = Annotated[str, Field(min_length=1, max_length=1000)]
Paths = Annotated[list[Path], Field(max_length=50)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Since = Annotated[
    Moment | None, Field(description="Only from this time on: 2026-03-01 or 2026-03-01T12:00:00+01:00.")
]
Until = Annotated[Moment | None, Field(description="Only before this time.")]
AsOf = Annotated[
    Moment | None,
    Field(description="Look from this time: what was true then, 2026-03-01 or with a time of day."),
]
Cursor = Annotated[
    str | None,
    Field(min_length=1, max_length=2000, description="`nextCursor` of the page before, to go on after it."),
]
Next = Annotated[
    str | None,
    Field(description="Give it as `cursor` to get the next page; null where this is the last one."),
]
Limit = Annotated[int, Field(ge=1, le=100, description="How many at most.")]
