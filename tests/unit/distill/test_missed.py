"""What was said of a technology comes into doubt when the files stop naming it."""

from __future__ import annotations

from datetime import timedelta

from distill.code.missed import missed
from distill.code.proof import prove
from distill.resolve import resolve
from distill.timeline import Verb
from limbeck.bench.facts_phrases import known_after
from schema.records import Commit, Fact, Manifest, Standing

from .scripts import START

BEFORE, AFTER = START + timedelta(days=2), START + timedelta(days=3)


def commit(number: int, *packages: str) -> Commit:
    at = BEFORE if number == 1 else AFTER
    names = ", ".join(f'"{name}"' for name in packages)
    text = f'[project]\nname = "shop"\ndependencies = [{names}]\n'
    return Commit(f"c{number}", f"{number:040x}", "change", at, manifests=(Manifest("pyproject.toml", text),))


def known(said: str, *packages: str) -> tuple[Fact, ...]:
    facts = known_after(f"P: {said}").facts
    return (*facts, *resolve((), prove(commit(1, *packages), facts), AFTER).appends)


def doubts(said: str, before: list[str], after: list[str]) -> list[tuple[str, Verb]]:
    facts = known(said, *before)
    found = missed(prove(commit(2, *after), facts), facts)
    return [(a.proposal.value, a.verb) for a in resolve(facts, found, AFTER).actions]


def test_a_driver_that_goes_brings_what_was_said_of_its_database_into_doubt() -> None:
    told = doubts("Our database is Postgres.", ["httpx", "asyncpg"], ["httpx", "aiomysql"])
    assert told == [("Postgres", Verb.FLAG)]


def test_while_another_driver_names_it_nothing_is_doubted() -> None:
    assert doubts("Our database is Postgres.", ["asyncpg", "psycopg"], ["psycopg"]) == []
    assert doubts("Our database is Postgres.", ["httpx", "asyncpg"], ["asyncpg"]) == []


def test_what_the_files_never_named_is_not_missed() -> None:
    assert doubts("Our database is Postgres.", ["httpx", "redis"], ["httpx"]) == []


def test_the_doubt_tells_what_is_gone_and_from_where() -> None:
    facts = known("Our database is Postgres.", "asyncpg")
    (doubt,) = missed(prove(commit(2), facts), facts)
    assert doubt.statement == "asyncpg: pyproject.toml states it no longer since commit 0000000000."
    assert doubt.standing is Standing.CODE
