"""Files stay small."""

from __future__ import annotations

from statistics import median

LONGEST = 400
MEDIAN_BELOW = 120


def lengths(texts):
    """Lines of every Python file but the migrations, which are written once; empty files do not count."""
    return {
        name: text.count("\n")
        for name, text in texts.items()
        if name.endswith(".py") and text.strip() and not name.startswith("schema/migrations/")
    }


def test_no_file_is_longer_than_400_lines(texts):
    found = lengths(texts)
    assert len(found) > 100
    assert {name: lines for name, lines in found.items() if lines > LONGEST} == {}


def test_the_median_is_below_120_lines(texts):
    assert median(lengths(texts).values()) < MEDIAN_BELOW


def test_no_script_is_longer_either(texts):
    scripts = {name: text.count("\n") for name, text in texts.items() if text.startswith("#!")}
    assert {name: lines for name, lines in scripts.items() if lines > LONGEST} == {}
