"""Under forced row security, as the application role, the statements of recall still use their indexes.

Operators that are not leakproof may not be tried before the policy; equality of text may. So words are matched by
equality, and this holds the planner to it on tables large enough to care.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import text

from limbeck.bench import generated
from recall import candidates, graph, keyword, semantic
from recall.embedding.minilm import MODEL
from recall.vectors import literal
from schema.database import Database
from schema.scope import narrowed

SIZES = [400, 2500]


@pytest.fixture(scope="module")
def large(module_database) -> Iterator[tuple[Database, list[generated.Project]]]:
    projects = generated.make(SIZES)
    url = module_database.owner_url.replace("+psycopg", "")
    generated.load(url, projects, vectors_up_to=10_000)
    with psycopg.connect(url) as owner:
        owner.execute(
            "INSERT INTO search_files (client, path, project, unit, name, owner, kind)"
            " SELECT client, 'src/' || unit || '.py', project, unit, unit || '.py', session, kind FROM search_units"
        )
        owner.execute("ANALYZE search_files")
    database = Database(module_database.app_url)
    yield database, projects
    database.close()


def nodes(plan: dict) -> Iterator[dict]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def explained(connection, statement: str, values: dict) -> list[dict]:
    connection.execute(text("SET LOCAL plan_cache_mode = force_custom_plan"))
    found = connection.scalar(text(f"EXPLAIN (FORMAT JSON) {statement}"), values)
    return list(nodes((json.loads(found) if isinstance(found, str) else found)[0]["Plan"]))


def scans(plan: list[dict], table: str) -> set[tuple[str, str]]:
    return {
        (node["Node Type"], node.get("Index Name", "")) for node in plan if node.get("Relation Name") == table
    }


def test_the_role_is_bound_by_row_security(large):
    database, _ = large
    with database.tenant(generated.CLIENT) as connection:
        role = connection.execute(
            text("SELECT current_user, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
        ).one()
        assert tuple(role) == ("limbeck_app", False, False)
        assert connection.scalar(text("SELECT row_security_active('search_postings')"))


def test_words_are_looked_up_in_the_index(large):
    database, projects = large
    values = {
        "client": generated.CLIENT,
        "projects": [projects[0].id],
        "kinds": ["turn"],
        "lexemes": ["bababak"],
        "idfs": [1.0],
        "bits": [1],
        "depths": [100],
        "base": 0.3,
        "slopes": [0.03],
        "limit": 10,
        "also": [],
    }
    statement = keyword._SEARCH.format(
        projects=narrowed([projects[0].id]), counts="whole", lengths="whole_lengths"
    )
    with database.tenant(generated.CLIENT) as connection:
        plan = explained(connection, statement, values)
    assert scans(plan, "search_postings") == {("Index Scan", "search_postings_pkey")}
    conditions = " ".join(node.get("Index Cond", "") for node in plan)
    assert "lexeme" in conditions
    assert "project" in conditions


def test_units_are_fetched_by_number(large):
    database, _ = large
    with database.tenant(generated.CLIENT) as connection:
        plan = explained(
            connection,
            candidates._FETCH.format(projects=""),
            {"client": generated.CLIENT, "units": [1, 2, 3]},
        )
    assert {name for _, name in scans(plan, "search_units")} == {"search_units_pkey"}


def test_files_are_found_by_path_and_name(large):
    database, _ = large
    values = {
        "client": generated.CLIENT,
        "paths": ["src/7.py"],
        "names": ["9.py"],
        "owners": 10.0,
        "most": 10,
        "limit": 5,
    }
    with database.tenant(generated.CLIENT) as connection:
        plan = explained(connection, graph._SHARING.format(projects=""), values)
    names = {node.get("Index Name") for node in plan} - {None}
    assert names == {"search_files_pkey", "search_files_by_name"}


def test_a_small_scope_is_compared_exactly_and_a_large_one_through_the_index(large):
    database, projects = large
    vector = generated.directions(1, seed=9)[0]
    with database.tenant(generated.CLIENT) as connection:
        for size, expected in ((400, False), (2500, True)):
            assert semantic._worth_the_index(connection, size) is expected
        for project in projects:
            found = semantic.search(
                connection,
                generated.CLIENT,
                vector=vector,
                model=MODEL,
                projects=[project.id],
                kinds=["turn"],
                limit=120,
                size=project.units,
            )
            assert len(found) == 120
            assert all(project.first <= unit < project.first + project.units for unit in found)
        exact = semantic.search(
            connection,
            generated.CLIENT,
            vector=vector,
            model=MODEL,
            projects=[projects[1].id],
            kinds=["turn"],
            limit=10,
            size=10,
        )
        near = semantic.search(
            connection,
            generated.CLIENT,
            vector=vector,
            model=MODEL,
            projects=[projects[1].id],
            kinds=["turn"],
            limit=10,
            size=2500,
        )
    assert len(exact.keys() & near.keys()) >= 9


def test_the_vectors_of_one_kind_are_found_without_reading_the_others(large):
    database, _ = large
    values = {
        "client": generated.CLIENT,
        "model": MODEL,
        "kinds": ["memory:somebody"],
        "query": literal(generated.directions(1, seed=9)[0]),
        "limit": 120,
    }
    with database.tenant(generated.CLIENT, "somebody") as connection:
        plan = explained(connection, semantic._EXACT.format(projects=""), values)
    assert "search_vectors_by_kind" in {node.get("Index Name") for node in plan}
    assert not [node for node in plan if node["Node Type"] == "Seq Scan"]
