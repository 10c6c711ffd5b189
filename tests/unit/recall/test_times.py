"""Time phrases, seen from Wednesday, 18 March 2026, 15:00 UTC."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from recall.times import find, moment_of

NOW = datetime(2026, 3, 18, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("what changed today", "2026-03-18", "2026-03-19"),
        ("what broke yesterday?", "2026-03-17", "2026-03-18"),
        ("What changed in auth last week?", "2026-03-09", "2026-03-16"),
        ("this week's work", "2026-03-16", "2026-03-23"),
        ("last month", "2026-02-01", "2026-03-01"),
        ("this month", "2026-03-01", "2026-04-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("last Monday", "2026-03-16", "2026-03-17"),
        ("two days ago", "2026-03-16", "2026-03-17"),
        ("in January", "2026-01-01", "2026-02-01"),
        ("during December", "2025-12-01", "2026-01-01"),
        ("between 2026-01-05 and 2026-01-10", "2026-01-05", "2026-01-11"),
        ("from January 5 to January 10", "2026-01-05", "2026-01-11"),
        ("since February 3", "2026-02-03", "2026-03-19"),
        ("after 3 February 2026", "2026-02-04", "2026-03-19"),
        ("before March", "1970-01-01", "2026-03-01"),
        ("what broke in the last week?", "2026-03-11", "2026-03-19"),
        ("over the past month", "2026-02-15", "2026-03-19"),
        ("during the last 2 weeks", "2026-03-04", "2026-03-19"),
    ],
)
def test_a_phrase_that_narrows(question, start, end):
    window = find(question, NOW)
    assert window is not None
    assert (f"{window.start:%Y-%m-%d}", f"{window.end:%Y-%m-%d}", window.strict) == (start, end, True)
    assert window.phrase.lower() in question.lower()


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("what was done on 2026-03-02", "2026-03-02", "2026-03-03"),
        ("the status session on January 25", "2026-01-25", "2026-01-26"),
        ("on the 25th of January", "2026-01-25", "2026-01-26"),
        ("in May 2023", "2023-05-01", "2023-06-01"),
        ("on 7 May, 2023", "2023-05-07", "2023-05-08"),
    ],
)
def test_a_date_that_favours(question, start, end):
    window = find(question, NOW)
    assert window is not None
    assert (f"{window.start:%Y-%m-%d}", f"{window.end:%Y-%m-%d}", window.strict) == (start, end, False)


@pytest.mark.parametrize(
    "question",
    [
        "may I use this?",
        "we march on",
        "restore StepCount guard for 3 sessions",
        "PoolTimeout after 30.00 sec",
        "the 5 second rule",
        "last but not least",
        "as of January 25 or finally in February 3",
        "before the migration",
        "sun rises",
        "",
    ],
)
def test_no_window_where_no_time_is_meant(question):
    assert find(question, NOW) is None


def test_what_happened_is_told_in_the_week_after():
    window = find("on 7 May 2023", NOW)
    assert window is not None
    days = {day: window.told(datetime(2023, 5, day, 12, tzinfo=UTC)) for day in (6, 7, 8, 14, 15)}
    assert days == {6: False, 7: False, 8: True, 14: True, 15: False}


def test_weeks_ago_is_about_a_week_wide():
    window = find("two weeks ago", NOW)
    assert window is not None
    assert window.holds(datetime(2026, 3, 4, tzinfo=UTC))
    assert not window.holds(datetime(2026, 3, 12, tzinfo=UTC))
    assert not window.holds(datetime(2026, 2, 20, tzinfo=UTC))


@pytest.mark.parametrize(
    ("phrase", "moment"),
    [
        ("2026-03-01", "2026-03-02T00:00:00+00:00"),
        ("2026-03-01T10:00:00", "2026-03-01T10:00:00+00:00"),
        ("2026-03-01T10:00:00+02:00", "2026-03-01T08:00:00+00:00"),
        ("yesterday", "2026-03-18T00:00:00+00:00"),
        ("February", "2026-03-01T00:00:00+00:00"),
        ("today", "2026-03-18T15:00:00+00:00"),
    ],
)
def test_a_moment(phrase, moment):
    assert moment_of(phrase, NOW) == datetime.fromisoformat(moment)


def test_no_moment_in_nonsense():
    assert moment_of("soonish", NOW) is None
