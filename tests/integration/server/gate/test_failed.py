"""Sign-ins that fail are limited by address, over every way in; a token that held here before is listened to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from server.app import create_app
from server.options import Options

from .conftest import HERE, bearer

PROXY, ELSEWHERE = "10.0.0.9", "10.0.0.8"
WRONG = bearer("lbk_acme_" + "0" * 16 + "_" + "0" * 64)
TRIES = 8  # more than the limit, also where a minute ends between two of them


@pytest.fixture
def app(house) -> Any:
    return create_app(Options(house.url, failed_a_minute=2))


@pytest.fixture
def at(app) -> Iterator[Any]:
    """A client at an address, before it a proxy that the server believes."""
    with TestClient(app, base_url=HERE):
        behind = ProxyHeadersMiddleware(app, trusted_hosts=[PROXY])
        yield lambda address: TestClient(behind, base_url=HERE, client=(address, 5), follow_redirects=False)


def fail(client: TestClient, path: str = "/v1/health", **headers: str) -> Any:
    """The answer after more failures than are let through."""
    for _ in range(TRIES):
        answer = client.get(path, headers=WRONG | headers)
    return answer


def limited(answer: Any) -> bool:
    return answer.status_code == 429 and 1 <= int(answer.headers["retry-after"]) <= 120


@pytest.mark.parametrize("path", ["/v1/health", "/mcp", "/openapi.json"])
def test_what_programs_ask(at, house, path):
    told = fail(at("10.0.0.1"), path)
    assert limited(told)
    assert told.json() == {"error": "rate_limited", "message": told.json()["message"]}
    assert "sign-ins failed from this address" in told.json()["message"]
    assert at("10.0.0.2").get("/v1/health", headers=bearer(house.token())).status_code == 200


@pytest.mark.parametrize(
    ("path", "data"),
    [("/signin", {"token": "lbk_x"}), ("/signin/link", {"key": "acme_" + "0" * 16 + "_" + "0" * 64})],
)
def test_the_viewers_door(at, path, data):
    client = at("10.0.0.1")
    for _ in range(TRIES):
        answer = client.post(path, data=data, headers={"Origin": HERE})
    assert limited(answer)
    assert "Too many sign-ins failed from this address." in answer.text


def test_a_link_for_a_token(at):
    client = at("10.0.0.1")
    for _ in range(TRIES):
        answer = client.post("/signin/links", headers=WRONG)
    assert limited(answer)


def test_every_way_in_counts_for_every_other(at, house):
    client = at("10.0.0.1")
    fail(client)
    token = house.token(user="new")
    assert limited(client.get("/v1/health", headers=bearer(token)))
    assert limited(client.post("/signin", data={"token": token}, headers={"Origin": HERE}))


def test_a_token_that_held_here_before_is_listened_to_and_another_secret_of_it_is_not(at, house):
    client, token = at("10.0.0.1"), house.token(user="known")
    assert client.get("/v1/health", headers=bearer(token)).status_code == 200
    fail(client)
    assert client.get("/v1/health", headers=bearer(token)).status_code == 200
    guessed = token[:-64] + "0" * 64
    assert limited(client.get("/v1/health", headers=bearer(guessed)))
    assert client.get("/v1/health", headers=bearer(token)).status_code == 200


def test_a_proxy_that_is_believed_says_where_it_comes_from(at):
    for address in ("198.51.100.1", "198.51.100.2"):
        first = at(PROXY).get("/v1/health", headers=WRONG | {"X-Forwarded-For": address})
        assert first.status_code == 401
        assert limited(fail(at(PROXY), **{"X-Forwarded-For": address}))


def test_who_is_not_believed_has_one_address_whatever_it_says(at):
    client = at(ELSEWHERE)
    for number in range(TRIES):
        answer = client.get("/v1/health", headers=WRONG | {"X-Forwarded-For": f"198.51.100.{number}"})
    assert limited(answer)


def test_no_token_at_all_is_no_guess(at):
    client = at("10.0.0.1")
    for _ in range(TRIES):
        answer = client.get("/v1/health")
    assert answer.status_code == 401
