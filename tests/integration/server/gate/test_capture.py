"""Events of other machines: answered one by one, into the stream of the token's client, and into no other."""

from __future__ import annotations

import json
import random
import string
import time
from datetime import UTC, datetime
from typing import Any

import pytest
import redis
from starlette.testclient import TestClient

from capture.ids import new_id
from capture.net import second_net
from capture.queue import stream_key
from limbeck.ship.errors import QueueUnavailable
from limbeck.ship.sender import HttpSender
from server.app import create_app
from server.operations import capture
from server.options import Options
from workers.incoming import read
from workers.ingest import ingest

from .conftest import HERE, bearer


def event(**more: Any) -> dict[str, Any]:
    made = {"v": 1, "id": new_id(), "at": int(time.time() * 1000), "agent": "claude", "origin": "hook"}
    return (
        made | {"kind": "prompt", "session": "s", "body": {"text": "hello", "chars": 5, "cut": False}} | more
    )


@pytest.fixture
def queue(services, redis_socket):
    with redis.Redis(unix_socket_path=str(redis_socket)) as connection:
        yield connection


def waiting(queue, client="acme"):
    return [json.loads(fields[b"e"]) for _, fields in queue.xrange(stream_key(client))]


def sent(client, token, events):
    answer = client.post("/v1/capture", json={"events": events}, headers=bearer(token))
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_batch_goes_to_the_stream_of_the_tokens_client_in_its_order(client, house, queue):
    events = [event(), event(client="other", body={"text": "NUL \0 is for the worker"})]
    assert sent(client, house.token(), events) == {"accepted": 2, "refused": []}
    assert waiting(queue) == events
    assert waiting(queue, "other") == []
    assert queue.smembers("limbeck:clients") == {b"acme"}


def test_what_is_no_event_is_refused_by_itself_and_keeps_no_other(client, house, queue):
    good, deep = event(), []
    for _ in range(50):
        deep = [deep]
    events = [event(v=2), good, event(kind="nonsense"), {}, event(body=3), event(more=deep), event(id="x")]
    answer = sent(client, house.token(), events)
    assert answer["accepted"] == 1
    assert [one["index"] for one in answer["refused"]] == [0, 2, 3, 4, 5, 6]
    assert answer["refused"][0]["id"] == events[0]["id"]
    assert all(one["message"] for one in answer["refused"])
    assert waiting(queue) == [good]


def test_a_batch_is_bounded(client, house, queue):
    def status(events):
        return client.post("/v1/capture", json={"events": events}, headers=bearer(house.token())).status_code

    assert status([]) == 400
    assert status([{}] * 1001) == 400
    large = event(body={"text": "x" * 300_000})
    assert sent(client, house.token(), [large])["refused"][0]["message"].startswith("This envelope has 300")
    assert status([event(body={"text": "x" * 250_000})] * 40) == 413
    assert waiting(queue) == []


def test_who_may_only_read_sends_nothing(client, house, queue):
    headers = bearer(house.token(user="rita", right="read"))
    assert client.post("/v1/capture", json={"events": [event()]}, headers=headers).status_code == 403
    assert waiting(queue) == []


@pytest.fixture
def project(house):
    """A project of its own for each test, with its remote and the id that is kept beside it."""
    name = new_id()
    house.database.add_client("acme")
    with house.database.tenant("acme") as connection:
        connection.exec_driver_sql(
            f"INSERT INTO projects (client, project, name) VALUES ('acme', '{name}', 'p')"
        )
        for key in (f"remote:h/{name}", f"id:{name}"):
            connection.exec_driver_sql(
                f"INSERT INTO project_keys (client, key, project) VALUES ('acme', '{key}', '{name}')"
            )
    return name


def test_who_is_held_to_a_project_sends_events_of_no_other(client, house, queue, project):
    token = house.token(user="walter", right="write", projects=[project])
    events = [event(project={"remote": f"h/{project}"}), event(project={"remote": "h/q"}), event()]
    assert [one["index"] for one in sent(client, token, events)["refused"]] == [1, 2]
    assert [one["id"] for one in waiting(queue)] == [events[0]["id"]]


def test_who_is_held_to_a_project_makes_no_other_key_lead_to_it(client, house, queue, project):
    token, remote = house.token(right="write", projects=[project]), f"h/{project}"
    told = [
        {"remote": remote, "id": "evil-1"},
        {"remote": remote, "id": project},
        {"remote": "h/secret", "id": project},  # the strongest key decides
        {"remote": "h/secret", "id": "evil-1"},
        {"id": project, "root": "/r"},
    ]
    answer = sent(client, token, [event(project=one) for one in told])
    assert [one["index"] for one in answer["refused"]] == [2, 3]
    assert [one["project"] for one in waiting(queue)] == [{"remote": remote}, told[1], told[4]]


def test_whether_another_project_is_known_cannot_be_told_from_a_refusal(client, house, queue, project):
    other = new_id()
    with house.database.tenant("acme") as connection:
        connection.exec_driver_sql(
            f"INSERT INTO projects (client, project, name) VALUES ('acme', '{other}', 'o');"
            f"INSERT INTO project_keys (client, key, project) VALUES ('acme', 'remote:h/known', '{other}'),"
            f" ('acme', 'id:known', '{other}')"
        )
    token = house.token(right="write", projects=[project])
    for known, unknown in (
        ({"remote": "h/known", "id": project}, {"remote": "h/never", "id": project}),
        ({"remote": f"h/{project}", "id": "known"}, {"remote": f"h/{project}", "id": "never"}),
    ):
        answers = [sent(client, token, [event(project=one)]) for one in (known, unknown)]
        assert [(one["accepted"], [no["message"] for no in one["refused"]]) for one in answers[:1]] == [
            (one["accepted"], [no["message"] for no in one["refused"]]) for one in answers[1:]
        ]
    kept = [one["project"] for one in waiting(queue)]
    assert kept == [{"remote": f"h/{project}"}] * 2


def test_who_is_held_to_a_project_names_sessions_of_its_own(client, house, queue, project):
    here = {"project": {"remote": f"h/{project}"}}
    session = new_id()
    held, whole = house.token(right="write", projects=[project]), house.token()
    for token in (held, whole, held, house.token(right="write", projects=[project, new_id()])):
        sent(client, token, [event(session=session, **here)])
    first, plain, again, wider = [one["session"] for one in waiting(queue)]
    assert plain == session
    assert first == again != wider
    assert first.startswith(session + "~")
    assert wider.startswith(session + "~")
    # Nobody takes on the name of another reach: what they say is only the beginning of theirs.
    sent(client, house.token(right="write", projects=[project]), [event(session=wider, **here)])
    assert waiting(queue)[-1]["session"] not in (first, plain, wider)


def test_no_session_of_another_project_is_written_to_reopened_or_begun(client, house, queue, project):
    """Whoever comes first, and also where only a commit names the session."""
    session, remote = new_id(), f"h/{project}"
    held, whole = house.token(right="write", projects=[project]), house.token()
    here, there = {"project": {"remote": remote}}, {"project": {"remote": f"h/secret-{project}"}}
    commit = {"kind": "commit", "agent": "git", "body": {"sha": "a" * 40, "message": "m", "files": []}}
    sent(client, held, [event(session=session, **here)])
    sent(client, whole, [event(session=session, **there)])
    sent(client, held, [event(session=session, kind="session.end", body={"reason": "x"}, **here)])
    sent(client, held, [event(session=session, **commit, **here)])
    lines = [fields[b"e"] for _, fields in queue.xrange(stream_key("acme"))]
    now = datetime.now(UTC)
    with house.database.tenant("acme") as connection:
        ingest(connection, "acme", [read(f"{new_id()}", line, now) for line in lines], now=now)
        rows = connection.exec_driver_sql(f"""
            SELECT p.remote, s.state, (SELECT count(*) FROM exchanges e WHERE e.session = s.session),
                   (SELECT count(*) FROM commits c WHERE c.session = s.session)
            FROM sessions s JOIN projects p USING (client, project)
            WHERE starts_with(s.agent_session, '{session}') ORDER BY p.remote NULLS FIRST
        """).all()
    assert rows[0][2:] == (1, 1)
    assert rows[0][1] != "active"
    assert rows[1] == (f"h/secret-{project}", "active", 1, 0)
    assert len(rows) == 2


def test_no_net_takes_away_what_keeps_a_session_apart(client, house, queue, project):
    token = house.token(right="write", projects=[project])
    secret = "ghp_" + "".join(random.Random(3).choices(string.ascii_letters + string.digits, k=36))
    for session in (secret, f"https://u:{secret}@h/", "s" * 200, "password=", "x", "ünï"):
        sent(client, token, [event(session=session, project={"remote": f"h/{project}"})])
    names = [one["session"] for one in waiting(queue)]
    assert len({name.rsplit("~", 1)[1] for name in names}) == 1
    assert len(set(names)) == 6
    assert all(second_net(name) == (name, {}) for name in names)
    assert secret not in str(names)


def test_calls_of_no_session_are_nobodys_to_tell(client, house, queue, project):
    token, here = house.token(right="write", projects=[project]), {"project": {"remote": f"h/{project}"}}
    calls = {"calls": [{"call": "c1", "outcome": "failed"}]}
    events = [
        event(kind="outcomes", session=None, body=calls),
        event(kind="tool", session=None, call="c1", body={"tool": "Bash"}),
        event(kind="message", session=None, body={"text": "x"}),
    ]
    git = [("commit", {"sha": "a" * 40}), ("rewrite", {"pairs": []})]
    told = [{name: value for name, value in (one | here).items() if value is not None} for one in events]
    told += [event(agent="git", kind=kind, body=body) | here for kind, body in git]
    for one in told[3:]:
        del one["session"]
    assert [one["index"] for one in sent(client, token, told)["refused"]] == [0, 1]
    mark = {one.get("session") for one in waiting(queue)}
    assert len(mark) == 2  # none for the message, the same for what git told
    assert all(one is None or one.startswith("~") for one in mark)


def test_what_the_hook_let_through_does_not_reach_the_queue(client, house, queue, redis_socket):
    token = "ghp_" + "".join(random.Random(4).choices(string.ascii_letters + string.digits, k=36))
    fields = dict.fromkeys(("session", "turn", "call", "cwd", "event", "transcript", "unheard_of"), token)
    good = event(body={"text": "nothing to hide"})
    bad = event(
        body={"text": f"use {token} now", "deep": [{token: 1}]},
        project={"remote": f"h/{token}"},
        subagent={"id": token},
        redactions={"password": 1},
        **fields,
    )
    named = event(agent=token[:32])
    answer = sent(client, house.token(), [good, bad, named])
    assert [one["index"] for one in answer["refused"]] == [2]
    raw = b"".join(fields[b"e"] for _, fields in queue.xrange(stream_key("acme")))
    assert token.encode() not in raw
    assert token[:32].encode() not in raw
    kept = waiting(queue)
    assert kept[0] == good
    assert kept[1]["body"]["text"].startswith("use [REDACTED:")
    assert kept[1]["redactions"]["password"] == 1
    assert sum(kept[1]["redactions"].values()) >= len(fields) + 5


def test_a_stream_above_its_high_water_mark_takes_nothing(house, queue, services):
    with TestClient(
        create_app(Options(house.url, services.valkey.url(), high_water=2)), base_url=HERE
    ) as client:
        sent(client, house.token(), [event(), event()])
        answer = client.post("/v1/capture", json={"events": [event()]}, headers=bearer(house.token()))
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert len(waiting(queue)) == 2


def test_batches_fill_neither_the_log_of_changes_nor_the_log(client, house, queue, caplog):
    with house.database.tenant("acme") as connection:
        count = "SELECT count(*) FROM audit"
        before = connection.exec_driver_sql(count).scalar()
    with caplog.at_level("INFO", "limbeck.audit"):
        sent(client, house.token(), [event(body={"text": "carrots"})])
    with house.database.tenant("acme") as connection:
        assert connection.exec_driver_sql(count).scalar() == before
    assert [one for one in caplog.records if one.name == "limbeck.audit"] == []
    assert "carrots" not in caplog.text


def test_a_project_is_looked_up_once_a_batch(client, house, queue, monkeypatch):
    token = house.token(projects=[new_id()])
    looked = []
    monkeypatch.setattr(capture, "lookup", lambda *given: looked.append(given[-1]))
    events = [event(project={"remote": "h/p"}) for _ in range(4)] + [event(project={"remote": "h/q"})] * 2
    assert [one["index"] for one in sent(client, token, events)["refused"]] == [0, 1, 2, 3, 4, 5]
    assert looked == [["remote:h/p"], ["remote:h/q"]]


class TestTheShipper:
    """The way of a machine that has no queue of its own."""

    @pytest.fixture
    def kept(self):
        return []

    @pytest.fixture
    def sender(self, served, house, kept):
        made = HttpSender(served, house.token(), kept.append)
        yield made
        made.close()

    def test_it_sends_and_keeps_what_is_refused_for_good(self, sender, kept, queue):
        good, bad = event(), event(kind="nonsense")
        sender.send([json.dumps(one).encode() for one in (good, bad)])
        assert waiting(queue) == [good]
        assert [json.loads(line) for line in kept] == [bad]

    def test_a_batch_that_is_too_large_goes_in_parts(self, sender, kept, queue):
        lines = [json.dumps(event(body={"text": "x" * 200_000})).encode() for _ in range(50)]
        sender.send(lines)
        assert len(waiting(queue)) == 50
        assert kept == []

    @pytest.mark.parametrize(
        ("token", "says"), [("wrong", "does not know this token"), ("rita", "may not send")]
    )
    def test_without_the_right_everything_stays(self, served, house, kept, queue, token, says):
        text = house.token(user="rita", right="read") if token == "rita" else "lbk_x"
        sender = HttpSender(served, text, kept.append)
        with pytest.raises(QueueUnavailable, match=says):
            sender.send([json.dumps(event()).encode()])
        sender.close()
        assert (waiting(queue), kept) == ([], [])

    def test_a_server_that_is_not_there_is_waited_for(self, kept):
        with pytest.raises(QueueUnavailable, match="No server answers"):
            HttpSender("http://127.0.0.1:1", "lbk_x", kept.append).send([b"{}"])
        with pytest.raises(QueueUnavailable, match="in the clear"):
            HttpSender("http://team.example", "lbk_x", kept.append)
