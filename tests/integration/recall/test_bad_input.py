"""Whatever is asked: an answer or a clear refusal, never a crash, never another client's row."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from recall import index
from recall.answer import Answer, Scope
from recall.detail import opened
from recall.embedding.minilm import bundled
from recall.errors import BadQuestion, EmbeddingUnavailable
from recall.search import recall
from recall.vectors import embed

from .conftest import CLIENT

ODD = [
    "the of and to is",
    "a & b | !c <-> d:* (e)",
    "orders' OR '1'='1",
    "'; DROP TABLE search_units; --",
    "100% _wild% \\ %%s %(name)s :client $1 {brace}",
    "orders\x00paid",
    "\ud800 orders",
    "文字化け",
    "العميل",
    "🚀",
    "e\u0301te\u0301",
    "orders " * 15_000,
    '"unclosed phrase',
    "/../../etc/passwd",
    "=orders",
    "between 2026-99-99 and 0000-00-00 orders",
    "on 31 February orders",
    "in the last 999 years",
]
REFUSED = ["x" * 100_000, '""', "", "   \n", "\x00", "...!?", "%_%", "' \" \\"]


@pytest.fixture
def filled(tenants, unit, project, new_project):
    """Units of the client, a foreign project of the client, and a stranger's."""
    with tenants.tenant(CLIENT) as connection:
        index.put(
            connection, CLIENT, [unit("orders are paid in cents", session="a", files=("src/orders.py",))]
        )
        other = dataclasses.replace(unit("orders of another project"), project=new_project(name="other"))
        index.put(connection, CLIENT, [other])
    strange = new_project("stranger")
    with tenants.tenant("stranger") as connection:
        index.put(
            connection, "stranger", [dataclasses.replace(unit("orders of a stranger"), project=strange)]
        )
    embed(tenants, CLIENT, bundled())
    embed(tenants, "stranger", bundled())
    return tenants


def own(answer: Answer, scope: Scope) -> bool:
    return all(hit.project in (scope.projects or ()) and "another" not in hit.text for hit in answer.hits)


def test_odd_questions_are_answered(filled, scope):
    for query in ODD:
        for embedder in (bundled(), None):
            assert own(recall(filled, scope, query, embedder=embedder), scope), query[:80]


def test_empty_questions_are_refused(filled, scope):
    for query in REFUSED:
        with pytest.raises(BadQuestion, match="ask with a few words"):
            recall(filled, scope, query)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=80))
def test_any_text(filled, scope, query):
    try:
        assert own(recall(filled, scope, query), scope)
    except BadQuestion:
        return


def test_odd_narrowing(filled, scope):
    for how in (
        {"files": ["src/orders.py"]},
        {"files": ["%", "'; --", "\x00", ""]},
        {"kinds": ["turn"]},
        {"kinds": ["nothing"]},
        {"limit": 1, "budget": 1},
        {"history": True},
    ):
        assert own(recall(filled, scope, "orders paid", **how), scope), how


def test_a_stranger_finds_only_their_own(filled, project):
    answer = recall(filled, Scope("stranger"), "orders", files=["src/orders.py"], embedder=bundled())
    assert [hit.text for hit in answer.hits] == ["orders of a stranger"]
    assert recall(filled, Scope("stranger", (project,)), "orders", embedder=bundled()).nothing


def test_all_projects_of_the_client(filled):
    answer = recall(filled, Scope(CLIENT), "orders", embedder=bundled())
    assert {hit.text for hit in answer.hits} == {"orders are paid in cents", "orders of another project"}


class Failing:
    model, dimension = "down", 384

    def embed(self, texts):
        raise EmbeddingUnavailable("no answer within 5 s")


class OtherSpace:
    model, dimension = "wide", 8

    def embed(self, texts):
        return bundled().embed(texts)[:, :8]


def test_a_failing_provider_leaves_keyword_and_says_so(filled, scope):
    answer = recall(filled, scope, "orders paid", embedder=Failing())
    assert len(answer.hits) == 1
    assert answer.signals["keyword"] == "ran"
    assert "no answer within 5 s" in answer.signals["semantic"]


def test_vectors_of_another_model_are_never_compared(filled, scope):
    answer = recall(filled, scope, "orders paid", embedder=OtherSpace())
    assert len(answer.hits) == 1
    assert answer.signals["semantic"] == "no vectors of this model yet"
    assert "semantic" not in answer.hits[0].signals


def test_re_embedding_changes_over_when_it_is_complete(filled, scope):
    assert embed(filled, CLIENT, OtherSpace(), most=1) == 1
    with filled.tenant(CLIENT) as connection:
        models = connection.scalars(text("SELECT DISTINCT model FROM search_vectors ORDER BY model")).all()
    assert models == ["all-MiniLM-L6-v2-int8-weighted", "wide"]
    assert embed(filled, CLIENT, OtherSpace()) == 1
    with filled.tenant(CLIENT) as connection:
        assert connection.scalars(text("SELECT DISTINCT model FROM search_vectors")).all() == ["wide"]
    assert recall(filled, scope, "orders paid", embedder=OtherSpace()).signals["semantic"] == "ran"


def test_an_index_is_short_and_each_result_can_be_opened(filled, scope, unit):
    long = unit("orders are " + "paid and " * 400, session="a", hours=1)
    with filled.tenant(CLIENT) as connection:
        index.put(connection, CLIENT, [long])
    short = recall(filled, scope, "orders paid", index_only=True)
    assert {len(hit.text) <= 200 for hit in short.hits} == {True}
    hit = next(hit for hit in short.hits if hit.cut)
    full = opened(filled, scope, hit.kind, hit.ref)
    assert full is not None
    assert full.text == long.text
    assert [said.text for said in full.beside] == ["orders are paid in cents"]
    assert opened(filled, Scope("stranger"), hit.kind, hit.ref) is None
    assert opened(filled, Scope(CLIENT, ()), hit.kind, hit.ref) is None
