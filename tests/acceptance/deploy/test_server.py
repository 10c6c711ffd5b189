"""The server as compose.yaml runs it: healthy, closed without a token, open with one made by its own command."""

from __future__ import annotations

import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from .team import free_port


@pytest.fixture
def serving(team):
    """The server at a port of this machine that is free, in place of the container's own."""
    declared = team.compose["services"]["server"]["environment"]
    declared["LIMBECK_SERVER_PORT"] = str(free_port())
    declared["LIMBECK_SERVER_HOST"] = "127.0.0.1"
    team.start("server")
    yield f"http://127.0.0.1:{declared['LIMBECK_SERVER_PORT']}"
    team.end("server", lambda process: process.terminate())


def test_it_answers_whoever_holds_a_token(team, serving):
    with pytest.raises(HTTPError) as refused:
        urlopen(f"{serving}/v1/health", timeout=30)
    assert refused.value.code == 401
    refused.value.close()
    made = team.limbeck("server", "token", "create", "ci", "--user", "ada", "--right", "read", "--json")
    token = json.loads(made.stdout)["token"]
    request = Request(f"{serving}/v1/health", headers={"Authorization": f"Bearer {token}"})
    with urlopen(request, timeout=30) as answer:
        assert json.load(answer)["status"] in {"ok", "degraded"}  # nothing else of the team runs
    assert json.loads(team.limbeck("server", "health", "server", "--json").stdout)["names"] == [serving]
