"""A fact whose slot is just what was asked for."""

from __future__ import annotations

import pytest

from recall.fitting import fit


@pytest.mark.parametrize(
    ("slot", "asked", "part"),
    [
        ("cache/choice/", {"cache", "use"}, 1.0),
        ("page fragment cache/choice/", {"cache", "use"}, 1 / 3),
        ("billing/owner/", {"owns", "billing"}, 1.0),
        ("billing export/owner/", {"owns", "billing"}, 2 / 3),
        ("object storage/choice/staging", {"object", "storage", "production"}, 2 / 3),
        ("hosting/choice/", {"deploy"}, 1.0),
        ("database/choice/", {"db"}, 1.0),
        ("project/uses also/", {"use", "project"}, 0.0),
        (None, {"cache"}, 0.0),
    ],
)
def test_the_part_of_a_slot_that_is_asked_for(slot: str | None, asked: set[str], part: float) -> None:
    assert fit(slot, asked) == pytest.approx(part)
