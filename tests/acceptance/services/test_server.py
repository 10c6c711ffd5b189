"""The server of a real home: it signs its owner in, answers agents, and harms nothing where it cannot run."""

from __future__ import annotations

import json
import socket
import stat
import subprocess
import time
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from capture.envelope import encode
from capture.ids import new_id
from capture.spool import append
from limbeck.server import address
from limbeck.server.mounted import command

from .conftest import wait_until


def asked(cli, path, token=None):
    parts = urlsplit(address.read(cli.home.run))
    connection = HTTPConnection(parts.hostname, parts.port, timeout=20)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def token_of(cli):
    return (cli.home.path / "token").read_text().strip()


def event(text):
    made = {"v": 1, "id": new_id(), "at": int(time.time() * 1000), "agent": "claude", "origin": "hook"}
    return (
        made
        | {"kind": "prompt", "session": "far-away", "turn": "1", "cwd": "/far/away"}
        | {
            "project": {"root": "/far/away"},
            "body": {"text": text, "chars": len(text), "cut": False},
        }
    )


def test_up_runs_it_and_signs_its_owner_in(running):
    report = running.report()
    assert report["problems"] == []
    assert report["server"] == address.read(running.home.run)
    assert report["server"] in running.ok("status")
    assert asked(running, "/healthz") == (200, b"ok")
    assert asked(running, "/v1/health")[0] == 401
    assert asked(running, "/v1/health", token_of(running))[0] == 200
    assert stat.S_IMODE((running.home.path / "token").stat().st_mode) == 0o600
    findings = json.loads(running("doctor", "--json")[1])["findings"]
    assert [one["level"] for one in findings if one["check"] == "server"] == ["ok"]


def test_the_owners_token_outlives_a_restart_and_is_replaced_when_it_is_revoked(running):
    before = token_of(running)
    running.ok("down")
    assert address.read(running.home.run) is None
    running.ok("up")
    assert token_of(running) == before
    running.ok("token", "revoke", "owner")
    assert asked(running, "/v1/health", before)[0] == 401
    running.ok("down")
    running.ok("up")
    assert token_of(running) != before
    assert asked(running, "/v1/health", token_of(running))[0] == 200


def test_a_token_is_shown_once_and_does_what_it_may(running):
    made = running.ok("token", "create", "reader", "--right", "read").strip()
    listed = running.ok("token", "list", "--json")
    assert made.rpartition("_")[2] not in listed
    assert [one["may"] for one in json.loads(listed) if one["name"] == "reader"] == ["read"]
    assert asked(running, "/v1/memory", made)[0] == 200
    running.ok("token", "revoke", "reader")
    assert asked(running, "/v1/memory", made)[0] == 401
    code, _, errors = running("token", "revoke", "reader")
    assert (code, "no token in use" in errors.lower()) == (1, True)


def test_call_runs_what_the_server_runs(running):
    saved = json.loads(running.ok("call", "postMemory", "--body", '{"content": "we deploy on Thursdays"}'))
    listed = json.loads(asked(running, "/v1/memory", token_of(running))[1])
    assert saved["memory"]["id"] in [one["id"] for one in listed["memories"]]
    code, _, errors = running("call", "getMemory", "limit=1000")
    assert code == 2
    assert "limit: Input should be less than or equal to 100" in errors


def test_an_agent_speaks_with_it_through_its_standard_input(running):
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "health", "arguments": {}}},
    ]
    lines[0]["params"] |= {"capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    for words in (command(running.home.path), None):
        process = (
            running.start("mcp")
            if words is None
            else subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )
        if words is None:
            assert process.wait(60) == 0  # its input has ended
            process.communicate()
            continue
        output, _ = process.communicate("".join(json.dumps(line) + "\n" for line in lines), timeout=60)
        replies = [json.loads(line) for line in output.splitlines()]
        assert [reply["id"] for reply in replies] == [1, 2]
        assert replies[1]["result"]["structuredContent"]["status"] == "ok"


def test_a_port_that_is_taken_keeps_nothing_else_from_running(cli_in):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        cli = cli_in(LIMBECK_SERVER_PORT=str(taken.getsockname()[1]))
        code, _, errors = cli("up")
        assert code == 0
        assert "problem: server is down: The server cannot listen at 127.0.0.1" in " ".join(errors.split())
        code, output, _ = cli("status")
        assert code == 1
        assert "LIMBECK_SERVER_PORT" in output
        report = cli.report()
        assert [name for name, part in report["parts"].items() if not part["running"]] == ["server"]
        assert report["parts"]["server"]["restarts"] == 0
    wait_until(lambda: cli.report()["problems"] == [], cli.logs)
    assert asked(cli, "/healthz") == (200, b"ok")


def test_a_second_server_leaves_the_address_of_the_first(running):
    told = (running.home.run / address.NAME).read_text()
    second = running.start("serve", "--port", "0")
    try:
        line = next(line for line in second.stderr if "listening at" in line)
        assert line.split()[-1] not in told
        assert (running.home.run / address.NAME).read_text() == told
    finally:
        second.terminate()
        second.communicate(timeout=60)
    assert (running.home.run / address.NAME).read_text() == told


def test_the_server_of_up_tells_its_address_again_where_it_was_lost(running):
    path = running.home.run / address.NAME
    told = path.read_text()
    path.unlink()
    wait_until(path.exists, running.logs)
    assert path.read_text() == told
    address.write(running.home.run, "http://127.0.0.1:1")
    wait_until(lambda: path.read_text() == told, running.logs)


def test_without_a_server_there_is_none(cli_in):
    cli = cli_in(LIMBECK_SERVER="off")
    cli.ok("up")
    assert cli.report()["problems"] == []
    assert "server" not in cli.report()["parts"]
    assert not (cli.home.path / "token").exists()


def test_another_machines_shipper_sends_through_it(running, cli_in, tmp_path):
    token = running.ok("token", "create", "laptop", "--right", "write").strip()
    secret = tmp_path / "their-token"
    secret.write_text(token)
    url = address.read(running.home.run)
    far = cli_in(LIMBECK_REMOTE_URL=url, LIMBECK_TOKEN_FILE=str(secret), LIMBECK_CLIENT="somebody")
    code, _, errors = far("up")
    assert code == 1
    assert "limbeck ship" in errors
    far.home.prepare()
    shipper = far.start("ship")
    try:
        wait_until((far.home.path / "hook.json").exists)
        told = json.loads((far.home.path / "hook.json").read_text())
        assert told["queue"] is None
        one = event("sent from far away")
        for _ in range(2):  # the same event twice has one effect
            append(told["spool"], encode(one), 1_000_000)
        wait_until(lambda: "far-away" in running.ok("sessions", "--all", "--json"), running.logs)
        wait_until(lambda: running.report()["counts"]["redelivered"] == 1, running.logs)
    finally:
        shipper.terminate()
        shipper.communicate(timeout=60)
    assert running.report()["counts"]["agree"]


@pytest.mark.parametrize("words", [("serve", "--port", "70000"), ("token", "create", "x", "--right", "all")])
def test_wrong_usage_is_told(cli, words):
    code, _, errors = cli(*words)
    assert code == 2
    assert errors
