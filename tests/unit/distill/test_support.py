"""A commit's message stands as a person's word only where the commit's own changes bear it out."""

from __future__ import annotations

import pytest

from distill.offline.distiller import OfflineDistiller
from distill.support import supports
from schema.records import (
    ChangedFile,
    Commit,
    Evidence,
    FactKind,
    Manifest,
    Proposal,
    SessionEvidence,
    Standing,
)

from .scripts import START

PYPROJECT = '[project]\nname = "x"\ndependencies = ["{name}"]\n'


def commit(message: str, *paths: str, manifest: str = "", languages: dict[str, int] | None = None) -> Commit:
    return Commit(
        id="c",
        sha="a" * 40,
        message=message,
        at=START,
        files=tuple(ChangedFile(path, 1, 1) for path in paths),
        manifests=(Manifest("pyproject.toml", PYPROJECT.format(name=manifest)),) if manifest else (),
        languages=languages or {},
    )


def offered(one: Commit) -> list[Proposal]:
    session = SessionEvidence("c", "p", "s", "claude", START, START, commits=(one,))
    return list(OfflineDistiller().distil(session).proposals)


@pytest.mark.parametrize(
    ("one", "standing"),
    [
        (commit("Replace Postgres with MongoDB"), Standing.MODEL),
        (commit("Replace Postgres with MongoDB", "README.md"), Standing.MODEL),
        (commit("Replace Postgres with MongoDB", "pyproject.toml", manifest="psycopg"), Standing.MODEL),
        (commit("Replace Postgres with MongoDB", "pyproject.toml", manifest="pymongo"), Standing.PERSON),
        (
            commit("Replace MongoDB with Postgres", "pyproject.toml", manifest="psycopg[binary]"),
            Standing.PERSON,
        ),
        (commit("Replace Postgres with MongoDB", "src/mongo_store.py"), Standing.PERSON),
        (commit("We moved the backend from Python to Go", "main.go", languages={"Go": 90}), Standing.PERSON),
        (
            commit("We moved the backend from Python to Go", "mongo.py", languages={"Python": 90}),
            Standing.MODEL,
        ),
        (commit("Auth: tokens expire after 15 minutes", "auth/token.py"), Standing.PERSON),
        (commit("Auth: tokens expire after 15 minutes"), Standing.MODEL),
        (commit("Always run ruff before a commit."), Standing.MODEL),
    ],
)
def test_the_changes_give_the_message_its_standing(one: Commit, standing: Standing) -> None:
    found = offered(one)
    assert found
    assert {proposal.standing for proposal in found} == {standing}


def test_an_end_needs_a_change_that_names_the_value_no_longer() -> None:
    stack = FactKind.STACK
    assert not supports(commit("Drop Redis"), "Redis", stack, ended=True)
    assert not supports(commit("Drop Redis", "README.md"), "Redis", stack, ended=True)
    assert not supports(commit("Drop Redis", "pyproject.toml", manifest="redis"), "Redis", stack, ended=True)
    assert supports(commit("Drop Redis", "pyproject.toml", manifest="httpx"), "Redis", stack, ended=True)
    assert supports(commit("Drop Redis", "src/redis_client.py"), "Redis", stack, ended=True)


def test_evidence_of_an_unsupported_message_points_at_the_commit() -> None:
    assert [p.evidence for p in offered(commit("Replace Postgres with MongoDB"))] == [
        (Evidence("commit", "c", START, "s", "a" * 40),)
    ]
