"""Tokens: who one speaks for, and that nothing else is a token. The lookup happens under row security."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from schema.errors import NotFound
from server.errors import NotSignedIn
from server.principal import Principal, Right
from server.tokens import store
from server.tokens.token import Token, new, parse
from server.tokens.verify import Verifier

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Clock:
    now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def verifier(house, clock):
    return Verifier(house.database, clock)


def rows(house, statement, client="acme", **values):
    with house.database.tenant(client) as connection:
        return connection.execute(text(statement), values).all()


def made(house, client="acme", **more):
    house.database.add_client(client)
    more = {"name": "t", "user": "alice", "right": Right.WRITE, "now": NOON} | more
    with house.database.tenant(client) as connection:
        return store.create(connection, client, **more)


def test_a_token_speaks_for_whom_it_was_made_for(house, verifier):
    project = "0190f5a0-0000-7000-8000-000000000001"
    token = made(house, agent="codex", projects=[project])
    assert verifier.principal(token.text) == Principal(
        "acme", "alice", "codex", (project,), Right.WRITE, token.id
    )


def test_every_wrong_token_gets_the_same_answer(house, verifier, clock):
    token = made(house)
    ended = made(house, expires=NOON)
    revoked = made(house, name="revoked")
    with house.database.tenant("acme") as connection:
        assert store.revoke(connection, "acme", "revoked", NOON) == [revoked.id]
    stranger = made(house, client="other")
    wrong = {
        "nothing": "",
        "no token": "hello",
        "no such id": new("acme").text,
        "no such client": new("nobody").text,
        "another secret": Token("acme", token.id, new("acme").secret).text,
        "the same of another client": Token("other", token.id, token.secret).text,
        "another client's id": Token("acme", stranger.id, stranger.secret).text,
        "ended": ended.text,
        "revoked": revoked.text,
        "cut": token.text[:-1],
        "longer": token.text + "0",
        "upper case": token.text.upper(),
        "quoted": f"'{token.text}'",
    }
    for why, text_ in wrong.items():
        with pytest.raises(NotSignedIn) as raised:
            verifier.principal(text_)
        assert str(raised.value) == str(NotSignedIn()), why
    assert verifier.principal(token.text).token == token.id


def test_a_token_ends_at_its_moment_and_when_it_is_revoked(house, verifier, clock):
    token = made(house, expires=NOON + timedelta(hours=1))
    clock.now = NOON + timedelta(minutes=59, seconds=59)
    assert verifier.principal(token.text)
    clock.now = NOON + timedelta(hours=1)
    with pytest.raises(NotSignedIn):
        verifier.principal(token.text)
    clock.now = NOON
    with house.database.tenant("acme") as connection:
        store.revoke(connection, "acme", token.id, NOON)
    with pytest.raises(NotSignedIn):
        verifier.principal(token.text)
    with pytest.raises(NotFound), house.database.tenant("acme") as connection:
        store.revoke(connection, "acme", token.id, NOON)


def test_the_last_use_is_noted_at_most_once_a_minute(house, verifier, clock):
    token = made(house)

    def used():
        return rows(house, "SELECT used_at FROM tokens WHERE id = :id", id=token.id)[0][0]

    assert used() is None
    for seconds, noted in ((0, 0), (1, 0), (59, 0), (60, 60), (61, 60)):
        clock.now = NOON + timedelta(seconds=seconds)
        verifier.principal(token.text)
        assert used() == NOON + timedelta(seconds=noted), seconds


def test_nothing_of_the_secret_is_kept(house):
    token = made(house)
    kept = str(rows(house, "SELECT t::text FROM tokens t WHERE id = :id", id=token.id))
    assert token.secret not in kept
    assert token.hash.hex() in kept
    assert token.secret not in repr(token)


def test_another_clients_tokens_are_not_even_seen(house):
    token = made(house)
    assert rows(house, "SELECT 1 FROM tokens WHERE id = :id", client="other", id=token.id) == []
    with house.database.tenant("other") as connection, pytest.raises(NotFound):
        store.revoke(connection, "other", token.id, NOON)
    with house.database.engine.begin() as connection:
        assert connection.execute(text("SELECT 1 FROM tokens")).all() == []


def test_the_audit_log_is_written_and_never_rewritten(client, house):
    token = house.token()
    body = {"content": "a secret thought about carrots"}
    answer = client.post("/v1/memory", json=body, headers={"Authorization": f"Bearer {token}"})
    memory = answer.json()["memory"]["id"]
    refused = client.delete("/v1/memory/mem_0", headers={"Authorization": f"Bearer {token}"})
    assert refused.status_code == 404
    found = rows(
        house,
        "SELECT via, operation, ids, outcome, user_name, token FROM audit WHERE token = :t ORDER BY at",
        t=parse(token).id,
    )
    assert [tuple(row) for row in found[-2:]] == [
        ("rest", "postMemory", [memory], "done", "alice", parse(token).id),
        ("rest", "deleteMemoryById", [], "not_found", "alice", parse(token).id),
    ]
    assert "carrots" not in str(rows(house, "SELECT a::text FROM audit a"))
    for statement in ("UPDATE audit SET outcome = 'x'", "DELETE FROM audit", "DELETE FROM tokens"):
        with pytest.raises(ProgrammingError, match="permission denied"):
            rows(house, statement)


def test_words_that_look_like_an_id_are_not_in_the_log(client, house, caplog):
    words = ["deadbeefdeadbeef", "0190f5a0-1234-7000-8000-00000000beef"]
    headers = {"Authorization": f"Bearer {house.token()}"}
    with caplog.at_level("INFO", "limbeck.audit"):
        for word in words:
            client.post("/v1/forget-for-good", json={"text": word}, headers=headers)
            client.post("/v1/memory", json={"content": word, "tags": [word]}, headers=headers)
            given = {"scope": "global", "key": word, "value": word}
            client.post("/v1/remember", json=given, headers=headers)
            client.post("/v1/forget", json=given, headers=headers)
    kept = str(rows(house, "SELECT a::text FROM audit a")) + caplog.text
    assert [word for word in words if word in kept] == []


def test_reading_leaves_no_trace_in_the_log(client, house):
    before = rows(house, "SELECT count(*) FROM audit")
    client.get("/v1/health", headers={"Authorization": f"Bearer {house.token()}"})
    assert rows(house, "SELECT count(*) FROM audit") == before
