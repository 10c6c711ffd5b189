"""Moments and spans as people read them. Every time is UTC; the browser's script turns them local."""

from __future__ import annotations

from datetime import UTC, datetime, time

from markupsafe import Markup

from server.errors import BadInput

SIZES = ((86_400, "d"), (3_600, "h"), (60, "min"))


def span(seconds: float | None) -> str:
    """Return a length of time in its largest unit, as ``4 min``; empty for None."""
    if seconds is None:
        return ""
    for size, unit in SIZES:
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(0.0, seconds):.0f} s"


def duration(ms: int | None) -> str:
    """Return milliseconds as ``340 ms`` or ``2.1 s``; empty for None."""
    if ms is None:
        return ""
    return f"{ms} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def moment(at: datetime | None, now: datetime | None = None) -> Markup:
    """Return ``at`` as a <time>: how long ago where ``now`` is given and near, else the date and minute."""
    if at is None:
        return Markup("")
    utc = at.astimezone(UTC)
    text = f"{utc:%d %b %Y %H:%M}"
    if now is not None and 0 <= (now - utc).total_seconds() < 86_400:
        text = f"{span((now - utc).total_seconds())} ago"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        utc.isoformat(timespec="milliseconds"), f"{utc:%Y-%m-%d %H:%M:%S} UTC", text
    )


def day(at: datetime | None) -> Markup:
    """Return ``at`` as a <time> that shows the date."""
    if at is None:
        return Markup("")
    utc = at.astimezone(UTC)
    return Markup('<time datetime="{}" data-day title="{}">{}</time>').format(
        utc.isoformat(timespec="milliseconds"), f"{utc:%Y-%m-%d %H:%M:%S} UTC", f"{utc:%d %b %Y}"
    )


def asked(text: str | None, what: str) -> datetime | None:
    """Return the moment in a query: a date (its end, in UTC) or a date and time. Raises BadInput."""
    if not text or not text.strip():
        return None
    given = text.strip()
    try:
        at = datetime.fromisoformat(given)
    except ValueError:
        raise BadInput(what=what, why=f"{given[:40]!r} is no date; write it as 2026-11-30") from None
    if len(given) == len("2026-11-30"):
        at = datetime.combine(at.date(), time.max)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
