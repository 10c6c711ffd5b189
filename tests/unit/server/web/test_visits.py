"""A visit's secret and the marks of its forms."""

from __future__ import annotations

import pytest

from server.web.visits.visit import new, parse


def test_a_secret_comes_back_from_its_text():
    made = new("team-a")
    assert parse(made.text) == made


def test_only_a_hash_is_kept_and_nothing_shows():
    made = new("local")
    assert made.secret not in repr(made)
    assert len(made.hash) == 32
    assert made.hash.hex() not in made.text


@pytest.mark.parametrize("text", [None, "", "local", "local_1_2", "lo cal_" + "0" * 16 + "_" + "0" * 64])
def test_what_looks_different_is_none(text):
    assert parse(text) is None


def test_a_visit_knows_its_own_marks_and_no_other():
    mine, other = new("local"), new("local")
    assert mine.made(mine.mark())
    assert not other.made(mine.mark())
    assert not mine.made("")
    assert not mine.made(mine.mark()[:-1] + "x")
    assert not mine.made("ü" * 96)


def test_no_two_marks_are_alike():
    visit = new("local")
    assert visit.mark() != visit.mark()
