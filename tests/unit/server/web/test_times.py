"""Moments as people read and write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from server.errors import BadInput
from server.web.times import asked, day, duration, moment, span

AT = datetime(2026, 3, 1, 8, 5, tzinfo=UTC)


def test_a_span_is_told_in_its_largest_unit():
    assert [span(s) for s in (None, -3, 59, 60, 7200, 200_000)] == ["", "0 s", "59 s", "1 min", "2 h", "2 d"]


def test_a_duration_is_told_in_ms_or_s():
    assert [duration(ms) for ms in (None, 340, 2100)] == ["", "340 ms", "2.1 s"]


def test_a_moment_is_exact_in_its_attribute():
    html = moment(AT, AT + timedelta(minutes=5))
    assert 'datetime="2026-03-01T08:05:00.000+00:00"' in html
    assert ">5 min ago<" in html
    assert ">01 Mar 2026 08:05<" in moment(AT, AT + timedelta(days=9))
    assert ">01 Mar 2026<" in day(AT)
    assert moment(None) == day(None) == ""


def test_a_day_means_its_end():
    assert asked("2026-03-01", "as of") == datetime(2026, 3, 1, 23, 59, 59, 999999, tzinfo=UTC)
    assert asked("2026-03-01T10:00:00+01:00", "as of") == datetime(2026, 3, 1, 9, tzinfo=UTC)
    assert asked(" ", "as of") is None


def test_what_is_no_date_is_refused_in_a_sentence():
    with pytest.raises(BadInput, match="write it as 2026-11-30"):
        asked("last week", "as of")
