"""Canonical slots and values: different words, one thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distill.slots import canonical, cardinality, label, slot
from distill.values import additive_key, kind_of_value, same, tidy, value_key
from schema.records import Cardinality, Slot


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("the DB", "database"),
        ("Our Databases", "database"),
        ("data store", "database"),
        ("front-end", "frontend"),
        ("the caching layer", "cache"),
        ("message broker", "message queue"),
        ("unit tests", "test framework"),
        ("auth-service", "auth"),
        ("the billing service", "billing"),
        ("Redis", "redis"),
        ("Postgres", "postgres"),
        ("the Jenkins jobs", "jenkins job"),
        ("policies", "policy"),
    ],
)
def test_subjects(written: str, name: str) -> None:
    assert canonical(written) == name


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (slot("backend language"), Slot("backend", "language")),
        (slot("language", of="backend"), Slot("backend", "language")),
        (slot("the project", "language"), Slot("backend", "language")),
        (slot("database", of="billing"), Slot("billing database", "choice")),
        (slot("billing database"), Slot("billing database", "choice")),
        (slot("Python version"), Slot("python", "version")),
        (slot("licence"), Slot("project", "license")),
        (slot("tests", "uses"), Slot("test framework", "choice")),
        (slot("database", scope="production"), Slot("database", "choice", "production")),
    ],
)
def test_slots(made: Slot, expected: Slot) -> None:
    assert made == expected


def test_one_or_many() -> None:
    assert cardinality("choice") is Cardinality.ONE
    assert cardinality("dependency") is Cardinality.MANY
    assert label(Slot("backend", "language")) == "backend language"


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("Postgres", "PostgreSQL", True),
        ("the postgres", "PG", True),
        ("Postgres 16", "postgres", True),
        ("Postgres 15", "Postgres 16", False),
        ("JS", "JavaScript", True),
        ("message-pack", "Message Pack", True),
        ("Redis", "Valkey", False),
    ],
)
def test_values(left: str, right: str, equal: bool) -> None:
    assert same(left, right) is equal


def test_many_values_keep_their_versions_apart() -> None:
    assert additive_key("Node 20") != additive_key("Node 22")
    assert value_key("Node 20") == value_key("Node 22")
    assert kind_of_value("Postgres 16") == "database"
    assert kind_of_value("Quillbex") is None


@given(st.text(max_size=60))
def test_names_are_stable(text: str) -> None:
    assert canonical(canonical(text)) == canonical(canonical(canonical(text)))
    assert tidy(tidy(text)) == tidy(text)
    assert value_key(text)
    assert same(text, text)
