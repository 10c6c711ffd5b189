"""Time phrases in a question: "last week", "in March", "since 3 May", "two days ago" to a window of time.

What kind of phrase it is we recognise ourselves (a parser let loose on a whole question reads "may" as a month); what
a date means is dateparser's business. Windows are half open, in UTC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_SHORT = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_MONTH = rf"(?:{_MONTHS}|(?:{_SHORT})\.?)"
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_DATE = rf"""(?:
    \d{{4}}-\d\d?-\d\d?
  | {_DAY}\ (?:of\ )?{_MONTH}(?:,?\ \d{{4}})?
  | {_MONTH}\ {_DAY}(?![\d:.])(?:,?\ \d{{4}})?
  | {_MONTH},?\ \d{{4}}
)"""
_NUMBER = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "ten": 10,
}
_COUNT = r"(?:\d{1,3}|" + "|".join(_NUMBER) + r"|couple of|few)"
_UNIT = r"(hour|day|week|month|year)s?"
_WEEKDAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_FLAGS = re.IGNORECASE | re.VERBOSE

_RELATIVE = re.compile(rf"\b(today|yesterday|(?:this|last)\ (?:week|month|year|{_WEEKDAY}))\b", _FLAGS)
_LAST_N = re.compile(rf"\b(?:in|over|during|within)?\ ?the\ (?:last|past)\ ({_COUNT})\ {_UNIT}\b", _FLAGS)
_LAST_ONE = re.compile(
    r"\b(?:(?:in|over|during|within)\ the\ last|(?:in\ |over\ |during\ |within\ )?(?:the\ )?past)"
    r"\ (hour|day|week|month|year)\b",
    re.IGNORECASE,
)
_AGO = re.compile(rf"\b({_COUNT})\ {_UNIT}\ ago\b", _FLAGS)
_BETWEEN = re.compile(rf"\b(?:between|from)\ ({_DATE})\ (?:and|to|until)\ ({_DATE})", _FLAGS)
_EDGE = re.compile(
    rf"\b(since|after|before|until|by)\ (?:the\ )?({_DATE}|{_MONTHS}|yesterday|last\ (?:week|month))\b",
    _FLAGS,
)
_ON = re.compile(rf"\b(?:(in|on|during|of)\ )?({_DATE})", _FLAGS)
_IN_MONTH = re.compile(rf"\b(?:in|during|last)\ ({_MONTHS})\b(?!\ \d)", _FLAGS)

_SPAN = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
TOLD_WITHIN = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time: ``start`` is in it, ``end`` is not. ``phrase`` is what it was read from.

    ``strict`` windows leave out what lies outside; others only favour what lies inside, since what happened on a date
    is often told later.
    """

    start: datetime
    end: datetime
    phrase: str
    strict: bool = True

    def holds(self, at: datetime) -> bool:
        """True where ``at`` lies in the window."""
        return self.start <= at < self.end

    def told(self, at: datetime) -> bool:
        """True where ``at`` lies in the days after the window, when what happened in it is told."""
        return self.end <= at < self.end + TOLD_WITHIN


def find(question: str, now: datetime) -> Window | None:
    """Return the window that ``question`` names, seen from ``now``; None where it names none or two unrelated dates."""
    for reader in (_between, _edge, _recent, _ago, _relative, _month, _date):
        window = reader(question, now)
        if window is not None and window.start < window.end:
            return window
    return None


def _between(question: str, now: datetime) -> Window | None:
    match = _BETWEEN.search(question)
    if not match:
        return None
    first, last = _day_or_month(match[1], now), _day_or_month(match[2], now)
    return Window(first[0], last[1], match[0]) if first and last else None


def _edge(question: str, now: datetime) -> Window | None:
    match = _EDGE.search(question)
    if not match:
        return None
    span = _of_phrase(match[2], now)
    if span is None:
        return None
    word = match[1].lower()
    if word == "since":
        return Window(span[0], now + timedelta(days=1), match[0])
    if word == "after":
        return Window(span[1], now + timedelta(days=1), match[0])
    return Window(BEGINNING, span[0] if word == "before" else span[1], match[0])


def _recent(question: str, now: datetime) -> Window | None:
    """A stretch that ends now: "the last two weeks", "in the last month" (where "last month" is a calendar's)."""
    match = _LAST_N.search(question)
    many = _count(match[1]) if match else 1
    match = match or _LAST_ONE.search(question)
    if not match:
        return None
    span = many * _SPAN[match[match.lastindex or 1].lower()]
    return Window(now - span, now + timedelta(days=1), match[0].strip())


def _ago(question: str, now: datetime) -> Window | None:
    """A day, week, month or year that lay so long ago; about as wide as its unit."""
    match = _AGO.search(question)
    if not match:
        return None
    unit = match[2].lower()
    middle = now - _count(match[1]) * _SPAN[unit]
    if unit in ("hour", "day"):
        start = _midnight(middle)
        return Window(start, start + timedelta(days=1), match[0])
    return Window(_midnight(middle - _SPAN[unit] / 2), _midnight(middle + _SPAN[unit] / 2), match[0])


def _relative(question: str, now: datetime) -> Window | None:
    match = _RELATIVE.search(question)
    if not match:
        return None
    span = _of_phrase(match[0], now)
    return Window(*span, match[0]) if span else None


def _month(question: str, now: datetime) -> Window | None:
    match = _IN_MONTH.search(question)
    if not match or len(_ON.findall(question)) > 0:
        return None
    span = _day_or_month(match[1], now)
    return Window(*span, match[0]) if span else None


def _date(question: str, now: datetime) -> Window | None:
    """A plain date favours and does not filter; two dates in one question compare things, so neither is a window."""
    matches = list(_ON.finditer(question))
    if len(matches) != 1:
        return None
    span = _day_or_month(matches[0][2], now)
    return Window(*span, matches[0][0].strip(), strict=False) if span else None


def _of_phrase(phrase: str, now: datetime) -> tuple[datetime, datetime] | None:
    words = phrase.lower().split()
    today = _midnight(now)
    day = timedelta(days=1)
    if words == ["today"]:
        return today, today + day
    if words == ["yesterday"]:
        return today - day, today
    if len(words) == 2 and words[0] in ("this", "last"):
        back = words[0] == "last"
        if words[1] == "week":
            monday = today - timedelta(days=today.weekday())
            return (monday - 7 * day, monday) if back else (monday, monday + 7 * day)
        if words[1] == "month":
            first = today.replace(day=1)
            return ((first - day).replace(day=1), first) if back else (first, _next_month(first))
        if words[1] == "year":
            first = today.replace(month=1, day=1)
            return (
                (first.replace(year=first.year - 1), first)
                if back
                else (first, first.replace(year=first.year + 1))
            )
        if words[1] in _WEEKDAY.split("|"):
            behind = (today.weekday() - _WEEKDAY.split("|").index(words[1])) % 7 or (7 if back else 0)
            return today - behind * day, today - (behind - 1) * day
    return _day_or_month(phrase, now)


def _day_or_month(phrase: str, now: datetime) -> tuple[datetime, datetime] | None:
    """The day or, where no day is named, the month that ``phrase`` means; the latest that is not after ``now``."""
    import dateparser

    tidy = re.sub(
        r"(\d)(st|nd|rd|th)\b", r"\1", phrase.replace(",", " ").replace(" of ", " "), flags=re.IGNORECASE
    )
    found = dateparser.parse(
        tidy,
        languages=["en"],
        settings={
            "RELATIVE_BASE": now.replace(tzinfo=None),
            "PREFER_DATES_FROM": "past",
            "PREFER_DAY_OF_MONTH": "first",
            "TIMEZONE": "UTC",
        },
    )
    if found is None:
        return None
    start = _midnight(found.replace(tzinfo=UTC))
    without_year = re.sub(r"\b\d{4}\b", "", tidy)
    if re.search(r"\d", without_year) or re.search(r"\d{4}-\d", tidy):
        return start, start + timedelta(days=1)
    first = start.replace(day=1)
    return first, _next_month(first)


def _next_month(first: datetime) -> datetime:
    return (first + timedelta(days=32)).replace(day=1)


def _midnight(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _count(word: str) -> int:
    word = word.lower()
    if word.isdigit():
        return int(word)
    return _NUMBER.get(word) or {"couple of": 2}.get(word, 3)


def moment_of(phrase: str, now: datetime) -> datetime | None:
    """Return the moment that ``phrase`` names (an ISO time, or the end of the day or stretch it means), else None."""
    try:
        at = datetime.fromisoformat(phrase.strip())
    except ValueError:
        window = find(phrase, now) or _month(f"in {phrase}", now)
        return min(window.end, now) if window else None
    if len(phrase.strip()) <= len("2026-03-01"):
        at += timedelta(days=1)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
