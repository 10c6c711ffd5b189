"""The memory bank: what is kept, how it is shown and found, and that it is its owner's alone."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from sqlalchemy import text

from schema.errors import DatabaseConflict
from server.errors import Missing
from server.memory import bank
from server.operations.bank import OPERATIONS

POST, SEARCH, LIST, DELETE = OPERATIONS
TABLES = ("memories", "memory_contexts", "search_units", "search_postings", "search_vectors")


def save(person, content="We deploy with Helm from the release branch.", **given):
    return person.run(POST, content=content, **given).memory


def held(database, client="acme"):
    with database.everyone(client) as connection:
        return {name: connection.scalar(text(f"SELECT count(*) FROM {name}")) for name in TABLES}


def test_the_declarations():
    table = [(one.operation_id, one.method, one.path, one.status, str(one.right)) for one in OPERATIONS]
    assert table == [
        ("postMemory", "POST", "/v1/memory", 201, "write"),
        ("getMemorySearch", "GET", "/v1/memory/search", 200, "read"),
        ("getMemory", "GET", "/v1/memory", 200, "read"),
        ("deleteMemoryById", "DELETE", "/v1/memory/{id}", 204, "write"),
    ]
    assert all(one.name == one.operation_id for one in OPERATIONS)
    assert [one.missing for one in OPERATIONS][-1] == "memory_not_found"


def test_what_is_saved_is_answered_in_full_without_contexts(alice):
    answer = alice.run(
        POST,
        content="  We deploy with Helm.  ",
        tags=[" deploy "],
        scope="org",
        source="api",
        contexts=[{"snippet": " helm it is ", "conversation_id": "c1", "origin": "active_conversation"}],
    ).model_dump(mode="json", by_alias=True)
    memory = answer["memory"]
    identifier = memory.pop("id")
    assert (len(identifier), identifier[:4]) == (30, "mem_")
    assert memory == {
        "content": "We deploy with Helm.",
        "tags": ["deploy"],
        "source": "chat",
        "scope": "user",
        "createdAt": "2026-03-02T12:00:01Z",
        "updatedAt": "2026-03-02T12:00:01Z",
    }


def test_the_list_is_newest_first_with_contexts(alice):
    save(alice, "first")
    contexts = [
        {"snippet": "one", "conversation_id": "c1", "message_id": "m1", "origin": "searched_conversation"},
        {"snippet": "two", "message_id": "m2"},
        {"snippet": "three"},
    ]
    save(alice, "second", contexts=contexts)
    listed = alice.run(LIST).model_dump(mode="json", by_alias=True)["memories"]
    assert [memory["content"] for memory in listed] == ["second", "first"]
    assert listed[1]["tags"] is None
    assert listed[1]["contexts"] == []
    for context in listed[0]["contexts"]:
        identifier = context.pop("id")
        assert (len(identifier), identifier[:5]) == (31, "mctx_")
    at = {"createdAt": "2026-03-02T12:00:02Z"}
    assert listed[0]["contexts"] == [
        {
            "snippet": "one",
            "citation": {"conversation_id": "c1", "message_id": "m1"},
            "origin": "searched_conversation",
        }
        | at,
        {"snippet": "two", "citation": {"message_id": "m2"}, "origin": None} | at,
        {"snippet": "three", "citation": None, "origin": None} | at,
    ]
    assert [m.content for m in alice.run(LIST, limit=1).memories] == ["second"]


@pytest.mark.parametrize(
    ("operation", "given", "fits"),
    [
        (POST, {"content": "x" * 8000}, True),
        (POST, {"content": "x" * 8001}, False),
        (POST, {"content": " " + "x" * 8000 + " "}, True),
        (POST, {"content": "   "}, False),
        (POST, {}, False),
        (POST, {"content": 5}, False),
        (POST, {"content": "x", "tags": ["t" * 64] * 32}, True),
        (POST, {"content": "x", "tags": ["t"] * 33}, False),
        (POST, {"content": "x", "tags": ["t" * 65]}, False),
        (POST, {"content": "x", "tags": [" "]}, False),
        (POST, {"content": "x", "contexts": [{"snippet": "s" * 4000}] * 16}, True),
        (POST, {"content": "x", "contexts": [{"snippet": "s"}] * 17}, False),
        (POST, {"content": "x", "contexts": [{"snippet": "s" * 4001}]}, False),
        (POST, {"content": "x", "contexts": [{}]}, False),
        (POST, {"content": "x", "contexts": [{"snippet": "s", "origin": "elsewhere"}]}, False),
        (POST, {"content": "x", "contexts": [{"snippet": "s", "message_id": "m" * 128}]}, True),
        (POST, {"content": "x", "contexts": [{"snippet": "s", "message_id": "m" * 129}]}, False),
        (POST, {"content": "x", "contexts": [{"snippet": "s", "conversation_id": ""}]}, False),
        (SEARCH, {"q": "x" * 512, "limit": "50"}, True),
        (SEARCH, {"q": "x" * 513}, False),
        (SEARCH, {"q": " "}, False),
        (SEARCH, {"q": "x", "limit": 51}, False),
        (SEARCH, {"q": "x", "limit": 0}, False),
        (SEARCH, {"q": "x", "limit": "1.5"}, False),
        (LIST, {"limit": "100"}, True),
        (LIST, {"limit": 101}, False),
        (LIST, {"limit": 0}, False),
    ],
)
def test_bounds(operation, given, fits):
    if fits:
        operation.input.model_validate(given)
    else:
        with pytest.raises(ValidationError):
            operation.input.model_validate(given)


def test_the_limits_without_one_given():
    assert (SEARCH.input(q="x").limit, LIST.input().limit) == (20, 20)


def test_found_the_moment_it_is_saved_the_best_first(alice):
    save(alice, "The staging cluster runs in Frankfurt.")
    save(alice, "Releases are cut on Tuesdays from the release branch.")
    results = alice.run(SEARCH, q="when are releases cut").model_dump(by_alias=True)["results"]
    assert results[0]["content"].startswith("Releases")
    assert isinstance(results[0]["score"], float)
    assert "contexts" not in results[0]
    assert alice.run(SEARCH, q="zebra").results == []
    assert alice.run(SEARCH, q="?!").results == []


def test_a_tag_and_a_snippet_help_finding(alice):
    save(alice, "It moved to Frankfurt.", tags=["datacenter"], contexts=[{"snippet": "the quokka cluster"}])
    assert len(alice.run(SEARCH, q="quokka").results) == 1
    assert len(alice.run(SEARCH, q="datacenter").results) == 1


def test_long_and_many_memories_come_whole_and_up_to_the_limit(alice):
    for number in range(12):
        save(alice, f"Invoice rule {number}: " + "invoices are kept for ten years. " * 200)
    results = alice.run(SEARCH, q="invoices", limit=10).results
    assert len(results) == 10
    assert all(len(memory.content) > 6000 for memory in results)


def test_a_secret_is_gone_before_it_is_stored(alice, tenants):
    secret = "ghp_" + "".join(chr(97 + (7 * n) % 26) for n in range(36))
    memory = save(
        alice,
        f"The token is {secret}.",
        tags=[secret],
        contexts=[{"snippet": f"use {secret}", "conversation_id": secret}],
    )
    assert secret not in memory.content
    shown = alice.run(LIST).model_dump_json()
    assert secret not in shown
    with tenants.everyone("acme") as connection:
        for table in TABLES:
            rows = connection.scalars(text(f"SELECT t::text FROM {table} t")).all()
            assert not [row for row in rows if secret in row]
    assert secret not in alice.run(SEARCH, q="token").model_dump_json()


def test_one_transaction(alice, tenants):
    taken = bank.Context("fine"), bank.Context("x", origin="nowhere")
    with pytest.raises(DatabaseConflict), alice.call().tenant() as connection:
        bank.save(connection, bank.Owner("acme", "alice"), "kept?", None, taken, alice.now)
    assert set(held(tenants).values()) == {0}


def test_delete_leaves_nothing(alice, tenants):
    kept = save(alice, "Alpha stays.")
    before = held(tenants)
    memory = save(alice, "Beta goes.", contexts=[{"snippet": "beta"}])
    alice.run(DELETE, id=memory.id)
    assert held(tenants) == before
    assert alice.run(SEARCH, q="beta goes").results == []
    assert [m.id for m in alice.run(LIST).memories] == [kept.id]
    with pytest.raises(Missing):
        alice.run(DELETE, id=memory.id)


def test_malformed_unknown_and_foreign_ids_are_the_same_answer(alice, bob, stranger):
    memory = save(alice)
    for person in (bob, stranger):
        with pytest.raises(Missing):
            person.run(DELETE, id=memory.id)
    for typed in ("mem_" + "0" * 26, "mem_x", memory.id.upper(), memory.id.replace("mem", "mctx"), ""):
        with pytest.raises(Missing):
            alice.run(DELETE, id=typed)
    assert len(alice.run(LIST).memories) == 1


def test_nobody_else_sees_finds_or_crowds_out(alice, bob, stranger):
    for number in range(130):  # more than a signal brings back
        save(bob, f"Kestrel kestrel kestrel {number}")
    mine = save(alice, "The kestrel service owns billing.")
    assert [m.id for m in alice.run(SEARCH, q="kestrel", limit=50).results] == [mine.id]
    assert {m.content for m in bob.run(SEARCH, q="kestrel billing").results} & {mine.content} == set()
    assert stranger.run(SEARCH, q="kestrel").results == []
    assert stranger.run(LIST).memories == []
    assert mine.id not in {m.id for m in bob.run(LIST, limit=100).memories}
