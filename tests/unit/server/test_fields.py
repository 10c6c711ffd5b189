"""Times as they may be given."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import BaseModel, ValidationError

from server.fields import Moment


class Given(BaseModel):
    at: Moment


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T12:00:00Z", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01T12:00:00+02:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)),
    ],
)
def test_a_time_is_brought_to_utc(said, meant):
    assert Given(at=said).at == meant


@pytest.mark.parametrize(
    "said",
    [
        "2026-03-01T12:00:00",
        "1700000000",
        "-5",
        "0001-01-01",
        "9999-12-31T23:59:59Z",
        "2026-02-30",
        17.5,
        "soon",
        "",
    ],
)
def test_what_is_no_time_is_refused(said):
    with pytest.raises(ValidationError):
        Given(at=said)
