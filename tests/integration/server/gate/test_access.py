"""Every operation, tried by everybody over every rendering: allowed and refused as declared, and nothing leaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from server.app import create_app
from server.operations import ALL
from server.options import Options
from server.perform import Performer
from server.principal import Principal, Right
from tests.integration.server.model.conftest import SHOP, WEB, World

from .conftest import HERE
from .people import Answer, by_call, over_mcp, over_rest

MARK = "zanzibarmark"
MARKED = [line.replace("Postgres", f"Postgres {MARK}").replace("src/", f"{MARK}/") for line in SHOP]
NOT_ROWS = {"audit", "tokens"}  # who asks leaves a trace there
WORDS = {
    "q": "postgres database",
    "query": "database",
    "prompt": "which database do we use?",
    "text": "a text",
    "content": "a memory",
    "value": "a value",
    "statement": "a statement",
    "title": "a title",
    "key": "colour",
    "name": "a name",
    "user": "somebody",
    "kind": "decision",
    "type": "FE",
    "number": "US1001",
    "path": "store.py",
    "ref": "00000000-0000-7000-8000-000000000000",
    "into": "00000000-0000-7000-8000-000000000000",
    "scope": "global",
    "order": ["FE2001"],
    "events": [{}],
    "changes": [{"name": "daily_usd", "value": "2"}],
}


@pytest.fixture(scope="module")
def house_with_rows(house, services):
    """Alice's project, full of the mark; a project of the same client that somebody is held to; the others' own."""
    for client in ("acme", "other"):
        house.database.add_client(client)
    world = World(house.database)
    world.tell(f"{MARK}-shop", "s-1", MARKED, client="acme")
    world.tell("web", "w-1", WEB, client="acme")
    world.tell("vault", "v-1", WEB, client="other")
    alice = by_call(Performer(house.database, lambda: None), Principal("acme", "alice", right=Right.ADMIN))
    by_name = {operation.name: operation for operation in ALL}
    for name, given in (
        ("postMemory", {"content": f"Alice keeps {MARK}", "contexts": [{"snippet": MARK}]}),
        ("remember", {"scope": "global", "key": f"k-{MARK}", "value": MARK}),
        ("record_event", {"kind": "decision", "title": MARK, "text": MARK, "project": f"{MARK}-shop"}),
        ("import_document", {"name": f"{MARK}.md", "text": MARK, "project": f"{MARK}-shop"}),
    ):
        assert alice(by_name[name], given).refused is None, name
    return world


@pytest.fixture(scope="module")
def ids(house_with_rows) -> dict[str, str]:
    """An id of Alice's by the word that stands in the name of what takes it."""
    world = house_with_rows

    def one(statement: str) -> str:
        with world.database.tenant("acme", "alice") as connection:
            return str(connection.scalar(text(statement)))

    return {
        "fact": one("SELECT fact FROM fact_versions WHERE statement LIKE '%zanzibarmark%'"),
        "event": one("SELECT id FROM events WHERE title LIKE '%zanzibarmark%'"),
        "session": one("SELECT session FROM sessions WHERE agent_session = 's-1'"),
        "memory": one("SELECT id FROM memories WHERE content LIKE '%zanzibarmark%'"),
        "document": one("SELECT id FROM documents LIMIT 1"),
        "draft": one("SELECT id FROM drafts LIMIT 1"),
        "exchange": one("SELECT id FROM exchanges LIMIT 1"),
        "project": world.project(f"{MARK}-shop", "acme"),
    }


def given_for(operation: Any, ids: dict[str, str], project: bool) -> dict[str, Any]:
    """Values that ask for Alice's rows by their ids; ``project`` names her project where one can."""
    schema = operation.input.model_json_schema(by_alias=False)
    given: dict[str, Any] = {}
    for name in schema.get("required", ()):
        about = f"{operation.name} {operation.path}".lower()
        kind = next((word for word in ids if word in about), "event")
        given[name] = ids[kind] if name == "id" else WORDS[name]
    if project and "project" in schema.get("properties", {}):
        given["project"] = ids["project"]
    return given


def rows_of_alice(world) -> dict[str, str]:
    """A digest of every table as Alice sees it."""
    tables = text("""
        SELECT table_name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name = 'client'
          AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)
    """)
    with world.database.tenant("acme", "alice") as connection:
        names = sorted(set(connection.scalars(tables)) - NOT_ROWS)
        return {
            name: connection.scalar(
                text(f"SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM {name} t")
            )
            for name in names
        }


@pytest.fixture(scope="module")
def asked(house_with_rows, ids, services):
    """The application, and ``everywhere``: one operation as one person over the three renderings."""
    world = house_with_rows
    url = world.database.engine.url.render_as_string(hide_password=False)
    options = Options(url, failed_a_minute=0)
    with TestClient(create_app(options), base_url=HERE) as client:
        performer = Performer(world.database, lambda: None, options.values)

        def everywhere(
            token: str, principal: Principal, operation: Any, given: dict[str, Any]
        ) -> list[Answer]:
            call = by_call(performer, principal)
            return [
                over_rest(client, token, operation, given),
                over_mcp(client, token, operation, given),
                call(operation, given),
            ]

        yield client, everywhere


RENDERINGS = ("rest", "mcp", "call")


def by_rule(operation: Any, rendering: str, answer: Answer) -> None:
    """Who may administer is refused nothing, except over MCP what is left to a person."""
    if operation.by_hand and rendering == "mcp":
        assert answer.refused == "forbidden", answer.body
    else:
        assert answer.refused not in ("forbidden", "unauthorized", "internal_error"), (
            operation.name,
            answer.body,
        )


EVERY = pytest.mark.parametrize("operation", ALL, ids=lambda operation: operation.name)


@EVERY
def test_a_stranger_is_refused_everywhere(operation, asked, ids, house):
    client, _ = asked
    for token in (None, "lbk_acme_" + "0" * 16 + "_" + "0" * 64, "nonsense"):
        answer = over_rest(client, token, operation, given_for(operation, ids, True))
        assert (answer.refused, answer.body) == ("unauthorized", {"error": "unauthorized"})
    assert over_mcp(client, None, operation, {}).refused == "unauthorized"


@EVERY
def test_who_may_only_read_is_refused_everything_else(operation, asked, ids, house):
    _, everywhere = asked
    principal = Principal("acme", "rita", right=Right.READ)
    given = given_for(operation, ids, False)
    for answer in everywhere(house.token(user="rita", right="read"), principal, operation, given):
        assert (answer.refused == "forbidden") is (operation.right is not Right.READ), answer.body


def test_bob_of_another_client_sees_nothing_of_alices_and_changes_nothing(asked, ids, house, house_with_rows):
    _, everywhere = asked
    before = rows_of_alice(house_with_rows)
    principal = Principal("other", "alice", right=Right.ADMIN)
    for operation in ALL:
        for project in (True, False):
            given = given_for(operation, ids, project)
            answers = everywhere(house.token("other", "alice"), principal, operation, given)
            for rendering, answer in zip(RENDERINGS, answers, strict=True):
                assert MARK not in answer.said, answer.said
                by_rule(operation, rendering, answer)
    assert rows_of_alice(house_with_rows) == before


@EVERY
def test_who_is_held_to_a_project_sees_nothing_of_the_others(operation, asked, ids, house, house_with_rows):
    _, everywhere = asked
    web = house_with_rows.project("web", "acme")
    principal = Principal("acme", "walter", projects=(web,), right=Right.ADMIN)
    token = house.token(user="walter", projects=[web])
    for project in (True, False):
        given = given_for(operation, ids, project)
        for answer in everywhere(token, principal, operation, given):
            assert MARK not in answer.said.replace(f"k-{MARK}", ""), answer.said


def test_alice_may_do_everything_and_finds_her_own(asked, ids, house):
    """Also the proof that the mark would be found where it leaked."""
    _, everywhere = asked
    principal = Principal("acme", "alice", right=Right.ADMIN)
    found = set()
    for operation in ALL:
        if operation.name.startswith("forget"):
            continue
        given = given_for(operation, ids, "project" in operation.input.model_fields)
        for rendering, answer in zip(
            RENDERINGS, everywhere(house.token(), principal, operation, given), strict=True
        ):
            by_rule(operation, rendering, answer)
            if MARK in answer.said:
                found.add((operation.name, rendering))
    assert {
        "list_facts",
        "get_fact",
        "getMemory",
        "list_events",
        "get_session",
        "search_memory",
        "trace",
    } <= {name for name, _ in found}
    assert {rendering for _, rendering in found} == set(RENDERINGS)


def test_a_narrower_principal_reads_less_of_the_same_client(house_with_rows, ids):
    """The wall of projects is the principal's, whatever the rendering."""
    call = by_call(
        Performer(house_with_rows.database, lambda: None),
        replace(Principal("acme", "alice", right=Right.ADMIN), projects=()),
    )
    by_name = {operation.name: operation for operation in ALL}
    assert call(by_name["list_projects"], {}).body["projects"] == []


def test_without_any_where_no_row_of_anybody_elses_is_seen(house_with_rows):
    """The wall is in the database: every table, as another client, as nobody, as another user of the same client."""
    database = house_with_rows.database
    names = sorted(name for name in rows_of_alice(house_with_rows) if name != "clients")
    filled, hers = set(), set()
    for name in names:
        with database.tenant("acme", "alice") as connection:
            filled |= {name} if connection.scalar(text(f"SELECT count(*) FROM {name}")) else set()
        with database.tenant("other", "alice") as connection:
            assert connection.scalar(text(f"SELECT count(*) FROM {name} WHERE client <> 'other'")) == 0, name
        with database.engine.begin() as connection:
            assert connection.scalar(text(f"SELECT count(*) FROM {name}")) == 0, name
        # In search_files an owner is a session.
        if has_owner(database, name) and name != "search_files":
            hers.add(name)
            with database.tenant("acme", "somebody") as connection:
                left = f"SELECT count(*) FROM {name} WHERE owner NOT IN ('', 'somebody')"
                assert connection.scalar(text(left)) == 0, name
    assert {"sessions", "exchanges", "events", "fact_versions", "memories", "remembered", "ledger"} <= filled
    assert {"memories", "memory_contexts", "remembered"} <= hers


def has_owner(database, table):
    with database.tenant("acme", "alice") as connection:
        return "owner" in set(connection.execute(text(f"SELECT * FROM {table} LIMIT 0")).keys())
