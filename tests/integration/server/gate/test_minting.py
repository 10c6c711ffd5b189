"""Who may make a token, and for what: a token never leads to one that reaches further than itself."""

from __future__ import annotations

import random
import string
from datetime import UTC, datetime

import pytest

from schema.ids import new_id
from server.errors import NotAllowed
from server.operation import Call
from server.operations.credentials import CreateTokenInput, create_token
from server.principal import Principal, Right

from .conftest import bearer

NEW = {"name": "new", "user": "bob"}


def made(client, token, **body):
    return client.post("/v1/tokens", json=NEW | body, headers=bearer(token))


def count(house):
    with house.database.tenant("acme") as connection:
        return connection.exec_driver_sql("SELECT count(*) FROM tokens").scalar_one()


@pytest.mark.parametrize("body", [{}, {"user": "alice"}, {"right": "read"}, {"projects": ["any"]}])
def test_a_token_held_to_some_projects_makes_none(client, house, body):
    held = house.token(projects=[new_id()])
    before = count(house)
    assert made(client, held, **body).status_code == 403
    assert count(house) == before


def test_no_projects_is_not_every_project(client, house):
    whole = house.token()
    before = count(house)
    answer = made(client, whole, projects=[])
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    assert count(house) == before
    assert made(client, whole).status_code == 201


@pytest.mark.parametrize("user", ["*", " * "])
def test_nobody_is_called_what_stands_for_everybody(client, house, user):
    before = count(house)
    answer = made(client, house.token(), user=user)
    assert (answer.status_code, [one["path"] for one in answer.json()["details"]]) == (400, ["user"])
    assert count(house) == before


@pytest.mark.parametrize("field", ["name", "user", "agent"])
@pytest.mark.parametrize("kind", ["hook", "worker"])
def test_no_label_is_a_secret(client, house, field, kind):
    digits = "".join(random.Random(1).choices(string.ascii_letters + string.digits, k=36))
    secret = {"hook": f"ghp_{digits}", "worker": f"https://someone:{digits}@host"}[kind]
    before = count(house)
    answer = made(client, house.token(), **{field: f"ci {secret}"})
    assert (answer.status_code, [one["path"] for one in answer.json()["details"]]) == (400, [field])
    assert secret not in answer.text
    assert count(house) == before


def test_nobody_makes_a_token_with_a_wider_right_than_their_own(house):
    house.database.add_client("acme")
    call = Call(
        Principal("acme", "alice", right=Right.WRITE), house.database, datetime.now(UTC), lambda: None
    )
    for right in ("read", "write"):
        assert create_token(call, CreateTokenInput(**NEW, right=right)).token
    with pytest.raises(NotAllowed, match="wider right"):
        create_token(call, CreateTokenInput(**NEW, right="admin"))
