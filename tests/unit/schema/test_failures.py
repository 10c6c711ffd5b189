"""What is told of an error: its places, and none of its words."""

from __future__ import annotations

from schema.failures import places

ROW = "DETAIL: Failing row contains (zanzibar)"


def store():
    raise ValueError(ROW)


def test_the_kinds_and_places_are_told_and_no_words():
    def save():
        try:
            store()
        except ValueError as error:
            raise RuntimeError(ROW) from error

    try:
        save()
    except RuntimeError as error:
        told = places(error)
    assert "zanzibar" not in told
    assert told.startswith("RuntimeError\n")
    assert "\nafter ValueError\n" in told
    assert "in save" in told
    assert "in store" in told


def test_an_error_that_leads_to_itself_ends():
    first, second = ValueError("a"), KeyError("b")
    first.__cause__, second.__cause__ = second, first
    assert places(first).split() == ["ValueError", "after", "KeyError"]
