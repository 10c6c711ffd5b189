"""What is left out whatever a person says: files that were generated from the memory."""

from __future__ import annotations

import pytest

from capture.policy import IGNORE_BYTES, IGNORE_FILE, MOST_PATTERNS, Policy


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


def test_a_files_patterns_come_after_those_of_the_settings_and_take_none_of_their_places(tmp_path):
    (tmp_path / IGNORE_FILE).write_text("".join(f"name{number}\n" for number in range(MOST_PATTERNS + 5)))
    policy = Policy([f"set{number}" for number in range(MOST_PATTERNS)]).joined(str(tmp_path))
    assert policy.path(f"set{MOST_PATTERNS - 1}")
    assert policy.path(f"name{MOST_PATTERNS - 1}")
    assert not policy.path(f"name{MOST_PATTERNS}")


def test_a_line_that_is_cut_off_is_no_pattern(tmp_path):
    lines = "# what is said of it\n" * (IGNORE_BYTES // 21)
    (tmp_path / IGNORE_FILE).write_text(lines + "src/private/of/somebody")
    policy = Policy().joined(str(tmp_path))
    assert (len(lines) < IGNORE_BYTES, policy.path("src/main.py"), policy.path("src/private/a")) == (
        True,
        False,
        False,
    )
    (tmp_path / IGNORE_FILE).write_text("early\n" + lines + "src/private/of/somebody")
    assert Policy().joined(str(tmp_path)).path("early")
