"""One declaration, three renderings: the same names, the same limits, the same words, the same errors."""

from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from server.app import create_app
from server.mcp.core import CORE
from server.mcp.schemas import slim
from server.operations import ALL
from server.options import Options
from server.perform import Performer
from server.principal import Principal, Right
from server.rest.openapi import document, names_in, plain

from .conftest import ACCEPT, HERE, bearer, rpc, tool
from .people import by_call, over_mcp, over_rest

NOBODY = "0190f5a0-0000-7000-8000-00000000dead"
CASES = [
    ("getMemorySearch", {}),
    ("getMemorySearch", {"q": "x" * 513}),
    ("getMemorySearch", {"q": "x", "limit": 51}),
    ("getMemorySearch", {"q": "x", "limit": "many"}),
    ("getMemorySearch", {"q": "no such words anywhere"}),
    ("getMemory", {"limit": 101}),
    ("postMemory", {}),
    ("postMemory", {"content": "  "}),
    ("postMemory", {"content": "x" * 8001}),
    ("postMemory", {"content": "a\0b"}),
    ("postMemory", {"content": "x", "tags": ["t"] * 33}),
    ("postMemory", {"content": "x", "contexts": [{"snippet": ""}]}),
    ("deleteMemoryById", {"id": "mem_0"}),
    ("deleteMemoryById", {"id": NOBODY}),
    ("get_fact", {"id": NOBODY}),
    ("get_fact", {"id": "x"}),
    ("get_session", {"id": NOBODY}),
    ("list_facts", {"project": "no such project"}),
    ("list_facts", {"limit": 0}),
    ("list_facts", {"projct": "elsewhere"}),
    ("search_memory", {"query": "x", "bogus": 1}),
    ("getMemorySearch", {"q": "x", "scope": "org"}),
    ("postMemory", {"content": "x", "tags": 1, "scope": "org", "contexts": [{"snippet": "x", "bogus": 1}]}),
    ("recall", {"scope": "no such scope"}),
    ("recall", {"scope": "agent:somebody-else"}),
    ("remember", {"scope": "global", "key": "k"}),
    ("retire_fact", {"id": NOBODY, "reason": "because"}),
]


@pytest.fixture(scope="module")
def everywhere(house):
    with TestClient(create_app(Options(house.url)), base_url=HERE) as client:
        performer = Performer(house.database, lambda: None)
        call = by_call(performer, Principal("acme", "alice", right=Right.ADMIN))
        token = house.token()
        by_name = {operation.name: operation for operation in ALL}

        def ask(name, given):
            operation = by_name[name]
            return [
                over_rest(client, token, operation, given),
                over_mcp(client, token, operation, given),
                call(operation, given),
            ]

        ask.client, ask.token = client, token
        yield ask


@pytest.mark.parametrize(("name", "given"), CASES, ids=[f"{name}-{n}" for n, (name, _) in enumerate(CASES)])
def test_the_same_request_gets_the_same_answer_everywhere(everywhere, name, given):
    rest, mcp, call = everywhere(name, given)
    assert rest.body == mcp.body == call.body
    assert rest.refused == mcp.refused or (rest.body == mcp.body and rest.refused)


@pytest.mark.parametrize("operation", ALL, ids=lambda operation: operation.name)
def test_an_unknown_name_is_refused_everywhere(everywhere, operation):
    given = dict.fromkeys(names_in(operation.path), "x") | {"bogus": "1"}
    for answer in everywhere(operation.name, given):
        told = [one for one in answer.body.get("details", ()) if one.get("path") == "bogus"]
        if operation.name == "postMemory" or (operation.by_hand and answer.refused == "forbidden"):
            assert not told
        else:
            assert answer.refused == "invalid_request"
            assert "`bogus`" in told[0]["message"]


def test_the_pair_refuses_unknown_names_and_metadata_is_none(everywhere):
    for name, given, meant in (
        ("search_capabilities", {"qery": "x"}, "`query`"),
        ("execute_capability", {"name": "getMemory", "querry": {"limit": 1}}, "`query`"),
        ("execute_capability", {"name": "listFacts", "query": {"projct": "x"}}, "`project`"),
    ):
        result = tool(everywhere.client, everywhere.token, name, **given)
        assert result["isError"]
        assert meant in result["content"][0]["text"]
    asked = {"name": "getMemory", "arguments": {}, "_meta": {"progressToken": 1}}
    assert not rpc(everywhere.client, everywhere.token, "tools/call", asked)["result"]["isError"]


def test_the_renderings_have_the_same_operations_words_and_limits(everywhere):
    tools = {one["name"]: one for one in listed(everywhere.client, everywhere.token, "?tools=all")}
    described = document(ALL, "1")
    assert set(tools) == {one.name for one in ALL if one.tool} | {"search_capabilities", "execute_capability"}
    for operation in ALL:
        over_http = described["paths"][plain(operation.path)][operation.method.lower()]
        assert over_http["operationId"] == operation.operation_id
        assert over_http["summary"].startswith(operation.purpose)
        fields = limits(operation.input.model_json_schema(by_alias=True))
        assert limits_over_http(over_http, operation) == fields
        if operation.tool:
            assert tools[operation.name]["description"] == operation.purpose
            slimmed = slim(operation.input.model_json_schema(by_alias=True))
            assert tools[operation.name]["inputSchema"] == slimmed
            assert slimmed["properties"].keys() == fields.keys()
            assert tools[operation.name]["annotations"]["readOnlyHint"] is operation.reads
            assert tools[operation.name]["annotations"]["destructiveHint"] is operation.destroys
            assert tools[operation.name]["outputSchema"]["type"] == "object"


def test_an_agent_is_told_of_the_core_alone_and_of_all_where_it_asks(everywhere, house):
    pair = {"search_capabilities", "execute_capability"}
    every = {one["name"]: one for one in listed(everywhere.client, everywhere.token, "?tools=all")}
    core = {one["name"]: one for one in listed(everywhere.client, everywhere.token, "")}
    assert core.keys() == CORE | pair
    assert every.keys() == {one.name for one in ALL if one.tool} | pair
    for name, offered in core.items():
        assert offered == {key: value for key, value in every[name].items() if key != "outputSchema"}
    assert len(json.dumps(list(core.values()), separators=(",", ":"))) < 30_000
    reader = house.token(user="rita", right="read")
    assert {one["name"] for one in listed(everywhere.client, reader, "?tools=all")} == pair | {
        one.name for one in ALL if one.tool and one.right is Right.READ
    }


def test_what_the_list_leaves_out_is_found_and_runs(everywhere):
    assert "get_commits" not in CORE
    found = tool(everywhere.client, everywhere.token, "search_capabilities", query="commits of an author")
    names = [one["name"] for one in found["structuredContent"]["capabilities"]]
    assert "getCommits" in names
    ran = tool(everywhere.client, everywhere.token, "execute_capability", name="getCommits", query={})
    assert (
        ran["structuredContent"]
        == tool(everywhere.client, everywhere.token, "get_commits")["structuredContent"]
    )


def test_a_server_may_tell_every_agent_of_all(house):
    with TestClient(create_app(Options(house.url, every_tool=True)), base_url=HERE) as client:
        assert len(listed(client, house.token(), "")) > len(CORE) + 2
        assert len(listed(client, house.token(), "?tools=core")) == len(CORE) + 2


def test_names_and_paths_are_each_used_once():
    assert len({one.name for one in ALL}) == len({one.operation_id for one in ALL}) == len(ALL)
    assert len({(one.method, plain(one.path)) for one in ALL}) == len(ALL)
    assert all(one.path.startswith("/v1/") and one.purpose[-1] in ".?" for one in ALL)
    assert all(len(one.operation_id) <= 49 for one in ALL)
    for one in ALL:
        assert set(names_in(one.path)) <= one.input.model_fields.keys(), one.name
    assert not {"memory_save", "memory_search"} & {one.name for one in ALL}


def test_capabilities_are_found_by_words_and_executed_as_the_tool_would(everywhere):
    found = tool(everywhere.client, everywhere.token, "search_capabilities", query="save a memory")
    capabilities = found["structuredContent"]["capabilities"]
    assert capabilities[0]["name"] == "postMemory"
    assert "content: string" in capabilities[0]["purpose"]
    assert capabilities[0]["takes"] == "body"
    everything = tool(everywhere.client, everywhere.token, "search_capabilities", limit=100)
    listed = {one["name"] for one in everything["structuredContent"]["capabilities"]}
    assert listed <= {one.operation_id for one in ALL if not one.by_hand}
    assert len(listed) == min(100, sum(not one.by_hand for one in ALL))
    saved = tool(
        everywhere.client, everywhere.token, "execute_capability", name="postMemory", body={"content": "hi"}
    )
    assert saved["structuredContent"]["memory"]["content"] == "hi"
    listed = tool(
        everywhere.client, everywhere.token, "execute_capability", name="getMemory", query={"limit": 1}
    )
    assert [one["content"] for one in listed["structuredContent"]["memories"]] == ["hi"]
    unknown = tool(everywhere.client, everywhere.token, "execute_capability", name="nothing")
    assert (unknown["isError"], unknown["structuredContent"]["error"]) == (True, "not_found")
    both = tool(
        everywhere.client, everywhere.token, "execute_capability", name="getMemory", query={}, body={}
    )
    assert both["structuredContent"]["error"] == "invalid_request"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("forget_for_good", {"text": "hello"}),
        ("forgetForGood", {"text": "hello"}),
        ("createToken", {"name": "mine", "user": "alice", "right": "admin"}),
        ("revokeToken", {"id": "0" * 16}),
        ("listTokens", {}),
    ],
)
def test_what_is_left_to_a_person_no_agent_does(everywhere, name, body):
    for how in (
        {"name": "execute_capability", "arguments": {"name": name, "body": body}},
        {"name": name, "arguments": body},
    ):
        result = rpc(everywhere.client, everywhere.token, "tools/call", how)["result"]
        assert result["isError"]
        assert result["structuredContent"]["error"] in ("forbidden", "not_found")


def test_what_reaches_a_deletion_says_so(everywhere):
    tools = rpc(everywhere.client, everywhere.token, "tools/list")["result"]["tools"]
    (execute,) = [one for one in tools if one["name"] == "execute_capability"]
    assert execute["annotations"]["destructiveHint"] is True
    assert execute["annotations"]["readOnlyHint"] is False


def test_who_may_only_read_is_offered_what_only_reads(everywhere, house):
    reader = house.token(user="rita", right="read")
    tools = {one["name"] for one in rpc(everywhere.client, reader, "tools/list")["result"]["tools"]}
    wanted = {one.name for one in ALL if one.name in CORE and one.right is Right.READ}
    assert tools == wanted | {"search_capabilities", "execute_capability"}
    found = tool(everywhere.client, reader, "search_capabilities", limit=100)["structuredContent"]
    assert {one["right"] for one in found["capabilities"]} == {"read"}
    refused = tool(everywhere.client, reader, "execute_capability", name="postMemory", body={"content": "x"})
    assert refused["structuredContent"]["error"] == "forbidden"


def listed(client, token, query):
    """The tools that an agent is offered at the address ``/mcp`` with ``query``."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    return client.post(f"/mcp{query}", json=message, headers=bearer(token) | ACCEPT).json()["result"]["tools"]


def limits(schema):
    """What the fields of a schema may hold, by name; where a shared part lies is a matter of the rendering."""
    return {name: without_refs(field) for name, field in schema.get("properties", {}).items()}


def without_refs(value):
    if isinstance(value, dict):
        return {key: without_refs(inner) for key, inner in value.items() if key != "$ref"}
    return [without_refs(inner) for inner in value] if isinstance(value, list) else value


def limits_over_http(over_http, operation):
    aliases = {name: operation.input.model_fields[name].alias or name for name in names_in(operation.path)}
    found = {aliases.get(one["name"], one["name"]): one["schema"] for one in over_http.get("parameters", ())}
    body = over_http.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    return limits({"properties": found | body.get("properties", {})})
