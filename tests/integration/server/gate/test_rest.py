"""REST: what is refused is refused with the right code and body, whoever asks and however badly."""

from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.testclient import TestClient

from server.app import create_app
from server.operation import Call
from server.options import Options

from .conftest import HERE, bearer, tool

SEARCH = "/v1/memory/search"


@pytest.fixture
def signed_in(client, house):
    def ask(method, path, **more):
        headers = bearer(house.token()) | more.pop("headers", {})
        return client.request(method, path, headers=headers, **more)

    return ask


def test_only_the_sign_of_life_needs_no_token(client):
    assert (client.get("/healthz").status_code, client.get("/healthz").text) == (200, "ok")
    for method, path in (
        ("GET", "/v1/health"),
        ("GET", "/v1/nothing"),
        ("POST", "/v1/capture"),
        ("POST", "/mcp"),
        ("GET", "/openapi.json"),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, answer.json()) == (401, {"error": "unauthorized"}), path
        assert answer.headers["www-authenticate"] == "Bearer"


def test_an_answer_says_how_browsers_may_treat_it(signed_in):
    headers = signed_in("GET", "/v1/health").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert not [name for name in headers if name.startswith("access-control-")]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("", "q"),
        ("q=", "q"),
        ("q=+++", "q"),
        ("q=" + "x" * 513, "q"),
        ("q=x&limit=0", "limit"),
        ("q=x&limit=51", "limit"),
        ("q=x&limit=ten", "limit"),
        ("q=x&limit=1.5", "limit"),
        ("q=x&limit=" + "9" * 400, "limit"),
        ("q=x&limit=1&limit=2", "limit"),
        ("q=a%00b", "q"),
    ],
)
def test_a_query_that_cannot_be_used_is_told_with_the_place(signed_in, query, path):
    answer = signed_in("GET", f"{SEARCH}?{query}")
    assert answer.status_code == 400
    body = answer.json()
    assert set(body) == {"error", "details"}
    assert body["error"] == "invalid_request"
    assert [detail["path"] for detail in body["details"]] == [path]
    assert all(detail["message"] for detail in body["details"])


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"[]",
        b"3",
        b'"text"',
        b"null",
        b"\xff\xfe",
        b'{"content": NaN}',
        b'{"content": Infinity}',
        b'{"content": "a\\u0000b"}',
        b'{"content": "\\ud800"}',
        b'{"content": 123456789012345678901234567890}',
        b'{"content": ' + b"9" * 5000 + b"}",
        b'{"content": ' + b"[" * 40 + b"]" * 40 + b"}",
        b'{"content": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"content": {"a": {"\\u0000": 1}}}',
    ],
)
def test_a_body_that_cannot_be_used_is_a_400(signed_in, raw):
    answer = signed_in("POST", "/v1/memory", content=raw, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"] == "invalid_request"
    assert answer.json()["details"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
def test_a_body_of_another_kind_is_a_415(signed_in, kind):
    answer = signed_in("POST", "/v1/memory", content=b'{"content":"x"}', headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["error"]) == (415, "unsupported_media_type")


def test_the_kind_of_a_body_may_name_its_encoding(signed_in):
    kind = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert signed_in("POST", "/v1/memory", content=b'{"content":"x"}', headers=kind).status_code == 201


def test_a_body_is_bounded_whether_its_length_is_told_or_not(signed_in, served, house):
    large = b'{"content":"' + b"x" * 1024 * 1024 + b'"}'
    kind = {"Content-Type": "application/json"}
    told = signed_in("POST", "/v1/memory", content=large, headers=kind)
    untold = signed_in("POST", "/v1/memory", content=iter([large[:700_000], large[700_000:]]), headers=kind)
    assert [answer.status_code for answer in (told, untold)] == [413, 413]
    assert told.json()["error"] == "too_large"
    over_mcp = signed_in("POST", "/mcp", content=large, headers=kind | {"Accept": "application/json"})
    assert over_mcp.status_code == 413


def test_a_path_or_a_method_that_is_not_there(signed_in):
    assert (signed_in("GET", "/v1/nothing").status_code, signed_in("GET", "/v1/nothing").json()) == (
        404,
        {"error": "not_found"},
    )
    answer = signed_in("PUT", "/v1/memory")
    assert (answer.status_code, answer.json()) == (405, {"error": "method_not_allowed"})
    assert set(answer.headers["allow"].replace(" ", "").split(",")) >= {"GET", "POST"}


@pytest.mark.parametrize(
    "name", ["evil.example", "127.0.0.1.evil.example", "", "localhost:8741@evil.example"]
)
def test_a_host_that_is_not_ours_is_not_answered(client, house, name):
    answer = client.get("/v1/health", headers=bearer(house.token()) | {"Host": name})
    assert (answer.status_code, answer.json()["error"]) == (421, "wrong_host")


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST:8741", "[::1]:8741"])
def test_the_loopback_names_are_ours(client, house, name):
    assert client.get("/v1/health", headers=bearer(house.token()) | {"Host": name}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://localhost.evil.example:8741",
        "x",
        "",
        "http://[::1",
        "http://localhost:port",
        "http://localhost:99999999",
        "file://localhost",
        # Of this machine, but not of this server.
        "http://127.0.0.1:3000",
        "http://localhost",
        "http://[::1]:8742",
        "https://localhost",
    ],
)
def test_a_page_of_another_origin_is_not_answered(client, house, origin):
    answer = client.get("/v1/health", headers=bearer(house.token()) | {"Origin": origin})
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden")
    preflight = client.options(
        "/v1/health", headers={"Origin": origin, "Access-Control-Request-Method": "GET"}
    )
    assert preflight.status_code == 403
    assert "access-control-allow-origin" not in preflight.headers


@pytest.mark.parametrize(
    "origin",
    ["http://127.0.0.1:8741", "http://localhost:8741", "http://[::1]:8741", "https://LOCALHOST:8741"],
)
def test_our_own_pages_may_ask(client, house, origin):
    assert client.get("/v1/health", headers=bearer(house.token()) | {"Origin": origin}).status_code == 200


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost", "https://localhost", 200),  # behind something that ends TLS
        ("localhost", "https://localhost:8443", 403),
        ("memory.example", "https://memory.example", 200),
        ("memory.example:8741", "https://memory.example", 200),
    ],
)
def test_pages_behind_another_entrance(house, host, origin, status):
    with TestClient(create_app(Options(house.url, hosts=("memory.example",))), base_url=HERE) as client:
        headers = bearer(house.token()) | {"Host": host, "Origin": origin}
        assert client.get("/v1/health", headers=headers).status_code == status


def test_a_further_host_name_is_a_setting(house):
    with TestClient(create_app(Options(house.url, hosts=("memory.example",))), base_url=HERE) as client:
        for host, status in (("memory.example:443", 200), ("other.example", 421)):
            answer = client.get("/v1/health", headers=bearer(house.token()) | {"Host": host})
            assert answer.status_code == status


def test_so_many_requests_a_minute_with_one_token_over_every_rendering(house):
    with TestClient(create_app(Options(house.url, a_minute=3)), base_url=HERE) as client:
        alice, bob = bearer(house.token()), bearer(house.token(user="bob"))
        statuses = [client.get("/v1/health", headers=alice).status_code for _ in range(4)]
        assert statuses == [200, 200, 200, 429]
        answer = client.get("/v1/health", headers=alice)
        assert answer.json()["error"] == "rate_limited"
        assert 1 <= int(answer.headers["retry-after"]) <= 60
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "health"}}
        over_mcp = client.post("/mcp", json=message, headers=alice | {"Accept": "application/json"}).json()
        assert over_mcp["result"]["isError"]
        told = over_mcp["result"]["structuredContent"]
        assert (told.keys(), told["error"]) == (answer.json().keys(), "rate_limited")
        assert client.get("/v1/health", headers=bob).status_code == 200


def test_a_database_that_is_down_is_a_503_and_the_sign_of_life_stays(house):
    nowhere = "postgresql://127.0.0.1:1/nothing"
    with TestClient(create_app(Options(nowhere)), base_url=HERE) as client:
        answer = client.get("/v1/health", headers=bearer(house.token()))
        assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
        assert answer.headers["retry-after"]
        assert nowhere not in answer.text
        assert client.get("/healthz").status_code == 200


def test_a_queue_that_is_down_is_a_503(house):
    options = Options(house.url, redis_url="redis://127.0.0.1:1/0")
    with TestClient(create_app(options), base_url=HERE) as client:
        events = [{"v": 1, "id": "0190f5a0-0000-7000-8000-000000000001", "at": 1, "agent": "claude"}]
        events[0] |= {"origin": "hook", "kind": "prompt", "body": {"text": "x"}}
        answer = client.post("/v1/capture", json={"events": events}, headers=bearer(house.token()))
        assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")


def test_what_nobody_foresaw_is_a_500_that_tells_nothing(house, monkeypatch):
    def fails(*_):
        raise RuntimeError("the secret detail")

    monkeypatch.setattr(Call, "tenant", fails)
    with TestClient(create_app(Options(house.url)), base_url=HERE, raise_server_exceptions=False) as client:
        answer = client.get("/v1/health", headers=bearer(house.token()))
        assert (answer.status_code, answer.json()["error"]) == (500, "internal_error")
        over_mcp = tool(client, house.token(), "health")
        assert over_mcp["structuredContent"]["error"] == "internal_error"
        assert "secret detail" not in answer.text + str(over_mcp)


def test_the_document_describes_every_route_with_its_body_and_its_errors(signed_in):
    described = signed_in("GET", "/openapi.json").json()
    assert described["openapi"] == "3.1.0"
    post = described["paths"]["/v1/memory"]["post"]
    assert post["operationId"] == "postMemory"
    assert "content: string" in post["summary"]
    assert {"201", "400", "401", "403", "413", "415", "429", "503"} <= post["responses"].keys()
    assert described["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}


def test_a_request_that_is_no_http_ends_with_its_connection(served):
    parts = urlsplit(served)
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as wire:
        wire.sendall(b"\x00\x01nonsense\r\n\r\n")
        assert b"400" in wire.recv(200)
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as wire:
        wire.sendall(b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n")
        assert wire.recv(20).startswith(b"HTTP/1.1 4")


def test_json_is_json(signed_in):
    answer = signed_in("GET", "/v1/memory?limit=1")
    assert answer.headers["content-type"] == "application/json"
    json.loads(answer.text)


def test_more_requests_at_once_than_connections_are_all_answered(served, house):
    headers = bearer(house.token())

    def ask(_):
        return httpx2.get(f"{served}/v1/memory", headers=headers, timeout=60).status_code

    with ThreadPoolExecutor(40) as pool:
        assert set(pool.map(ask, range(120))) == {200}


def test_what_the_log_says_of_an_error_repeats_nothing_that_was_stored(house, monkeypatch, caplog):
    def fails(*_):
        raise RuntimeError(" ".join(("stored", "words")))

    monkeypatch.setattr(Call, "tenant", fails)
    with TestClient(create_app(Options(house.url)), base_url=HERE) as client:
        reference = client.get("/v1/health", headers=bearer(house.token())).json()["message"]
    told = [record.getMessage() for record in caplog.records if "health" in record.getMessage()]
    assert any(line.split()[0] in reference and "RuntimeError" in line for line in told)
    assert "stored words" not in caplog.text
