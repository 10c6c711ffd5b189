"""What is left out whatever a person says: files that were generated from the memory."""

from __future__ import annotations

import pytest

from capture.policy import Policy


@pytest.mark.parametrize(
    ("path", "left_out"),
    [
        (".okf/index.md", True),
        ("documents/.okf/facts/a.md", True),
        (".okf", True),
        ("docs/.okf.md", False),
        ("my.okf/a.md", False),
        ("documents/use_cases/US1001.md", False),
    ],
)
def test_a_bundle_is_no_evidence(path, left_out):
    assert Policy().path(path) is left_out
    assert Policy(paths=["!.okf/"]).path(path) is left_out
