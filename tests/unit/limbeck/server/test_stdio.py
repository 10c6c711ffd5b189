"""What an agent's process says for each line, with a server that is there, that refuses, and that is not."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbeck.server.connections import Connections, Unreachable
from limbeck.server.stdio import Proxy, serve, whereto

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}


class Wire:
    """A server that answers with ``reply``, and what it was asked."""

    def __init__(self, status: int = 200, reply: object = None, fails: str | None = None) -> None:
        self.status, self.reply, self.fails = status, reply, fails
        self.asked: list[tuple[dict, dict]] = []
        self.again: list[bool] = []

    def post(self, body, headers, again):
        self.again.append(again)
        if self.fails:
            raise Unreachable(self.fails)
        message = json.loads(body)
        self.asked.append((message, dict(headers)))
        reply = self.reply or {"jsonrpc": "2.0", "id": message["id"], "result": {"ok": True}}
        return self.status, json.dumps(reply).encode()


def told(wire, *lines, off=False):
    said: list[bytes] = []
    proxy = Proxy(wire.post, said.append, lambda: off)
    proxy.serve([line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines])
    assert all(line.endswith(b"\n") and b"\n" not in line[:-1] for line in said)
    return sorted((json.loads(line) for line in said), key=lambda reply: str(reply["id"]))


def request(method, number=1, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def test_a_request_is_passed_on_and_its_answer_back():
    wire = Wire()
    assert told(wire, request("tools/list")) == [{"jsonrpc": "2.0", "id": 1, "result": {"ok": True}}]
    assert wire.asked == [(request("tools/list"), {})]


def test_the_negotiated_revision_goes_with_every_later_request():
    wire = Wire(reply={"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18"}})
    told(wire, request("initialize"), request("tools/list", 2))
    assert [headers for _, headers in wire.asked] == [{}, {"MCP-Protocol-Version": "2025-06-18"}]


def test_a_request_that_names_its_revision_has_the_headers_that_revision_wants():
    wire = Wire()
    told(wire, request("tools/call", name="wörter", arguments={}, _meta=META))
    assert wire.asked[0][1] == {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "=?base64?d8O2cnRlcg==?=",
    }


def test_notifications_and_answers_need_no_answer():
    wire = Wire()
    lines = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 4, "result": {}},
    ]
    assert told(wire, *lines, b"\n", b"   \n") == []
    assert wire.asked == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"garbage\n", -32700),
        (b"[" * 100_000 + b"\n", -32700),
        (b"[]\n", -32600),
        (b"7\n", -32600),
        (b'{"id": 1}\n', -32600),
        (b'{"id": {}, "method": "x"}\n', -32600),
        (b'{"id": true, "method": "x"}\n', -32600),
        (b'"' + b"x" * 5_000_000 + b'"\n', -32600),
    ],
)
def test_a_line_that_is_no_request_is_told(line, code):
    (reply,) = told(Wire(), line)
    assert (reply["id"], reply["error"]["code"]) == (None, code)


def test_a_server_that_is_not_there_is_told_in_a_sentence_and_a_probe_falls_back():
    replies = told(Wire(fails="Run `limbeck up`."), request("server/discover"), request("tools/list", 2))
    assert [reply["error"]["code"] for reply in replies] == [-32601, -32603]
    assert {reply["error"]["message"] for reply in replies} == {"Run `limbeck up`."}


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (401, {"error": "unauthorized"}, "limbeck token create"),
        (429, {"error": "rate_limited", "message": "Try again in 4 s."}, "429: Try again in 4 s."),
        (502, ["?"], "answered 502"),
    ],
)
def test_a_refusal_of_the_server_is_told_in_a_sentence(status, body, says):
    (reply,) = told(Wire(status, body), request("tools/list"))
    assert reply["error"]["code"] == -32603
    assert says in reply["error"]["message"]


def test_an_error_without_an_id_gets_the_requests():
    reply = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "no"}}
    assert told(Wire(400, reply), request("x", 9)) == [reply | {"id": 9}]


def test_memory_that_is_off_has_no_tools_whatever_the_server_has():
    wire = Wire()
    listed, called = told(wire, request("tools/list", 1), request("tools/call", 2, name="recall"), off=True)
    assert listed["result"]["tools"] == []
    assert called["result"]["isError"]
    assert "limbeck memory on" in called["result"]["content"][0]["text"]
    assert wire.asked == []


@given(st.lists(st.binary(max_size=60)))
def test_no_line_breaks_it(lines):
    told(Wire(), *[line.replace(b"\n", b"") + b"\n" for line in lines])


def test_the_token_of_the_owner_goes_to_the_server_of_the_home_alone(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "token").write_text("lbk_x\n")
    (tmp_path / "run" / "server.json").write_text('{"url": "http://127.0.0.1:1"}')
    home = str(tmp_path)
    assert whereto(home, None, {}) == ("http://127.0.0.1:1", "lbk_x")
    assert whereto(home, None, {"LIMBECK_TOKEN": "other"}) == ("http://127.0.0.1:1", "other")
    with pytest.raises(Unreachable, match="No token for https"):
        whereto(home, "https://team.example", {})
    (tmp_path / "theirs").write_text("lbk_y\n")
    named = {"LIMBECK_TOKEN_FILE": str(tmp_path / "theirs")}
    assert whereto(home, "https://team.example", named) == ("https://team.example", "lbk_y")


def test_a_home_without_a_server_or_a_token_says_what_to_do(tmp_path):
    with pytest.raises(Unreachable, match="limbeck up"):
        whereto(str(tmp_path), None, {})
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "server.json").write_text('{"url": "http://127.0.0.1:1"}')
    with pytest.raises(Unreachable, match="no token"):
        whereto(str(tmp_path), None, {})
    output = io.BytesIO()
    serve(str(tmp_path), None, {}, [b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'], output)
    assert "limbeck up" in json.loads(output.getvalue())["error"]["message"]


def test_what_may_change_something_is_sent_once():
    wire = Wire()
    told(wire, request("tools/list"), request("initialize", 2), request("tools/call", 3, name="remember"))
    assert sorted(wire.again) == [False, True, True]


@pytest.mark.parametrize("method", ["initialize", "tools/list", "tools/call", "server/discover"])
def test_whatever_goes_wrong_an_agent_gets_an_answer(method):
    def post(*_):
        raise IndexError("zanzibar")

    said = []
    line = json.dumps(request(method)).encode() + b"\n"
    Proxy(post, said.append, lambda: False).serve([line])
    (reply,) = map(json.loads, said)
    assert (reply["id"], reply["error"]["code"]) == (1, -32603)
    assert "IndexError" in reply["error"]["message"]
    assert "zanzibar" not in reply["error"]["message"]


def test_an_answer_that_is_none_breaks_no_handshake():
    wire = Wire(reply={"jsonrpc": "2.0", "id": 1, "result": ["odd"]})
    assert told(wire, request("initialize"))[0]["result"] == ["odd"]


def test_agents_requests_find_their_way_while_others_fail(tmp_path, monkeypatch):
    """Requests side by side, of which each that fails lets the connection go that the others use."""
    (tmp_path / "run").mkdir()
    (tmp_path / "token").write_text("lbk_x")
    (tmp_path / "run" / "server.json").write_text('{"url": "http://127.0.0.1:1"}')

    class Broken:
        def __init__(self, *_):
            pass

        def post(self, *_, **__):
            raise Unreachable("gone")

        def close(self):
            pass

    monkeypatch.setattr("limbeck.server.stdio.Connections", Broken)
    output = io.BytesIO()
    lines = [json.dumps(request("tools/list", number)).encode() + b"\n" for number in range(200)]
    serve(str(tmp_path), None, {}, lines, output)
    said = [json.loads(line) for line in output.getvalue().splitlines()]
    assert sorted(one["id"] for one in said) == list(range(200))
    assert {one["error"]["message"] for one in said} == {"gone"}


@pytest.mark.parametrize(
    "url",
    [
        "team.example",
        "ftp://team.example",
        "http://team.example",
        "https://user@team.example",
        "https://",
        "file:///x",
    ],
)
def test_no_token_is_sent_to_an_address_that_is_none_or_in_the_clear(url):
    with pytest.raises(Unreachable):
        Connections(url, "lbk_x", "/mcp")


@pytest.mark.parametrize("token", ["", "a b", "a\r\nX: y", "ü"])
def test_what_no_token_looks_like_is_not_sent(token):
    with pytest.raises(Unreachable, match="token"):
        Connections("https://team.example", token, "/mcp")


def test_it_needs_the_standard_library_alone():
    import subprocess

    from limbeck.server.mounted import command

    words = command(Path("/nowhere"))
    words[4] = words[4].replace(
        "sys.exit(main(sys.argv[1:]))", "import http.client; print(sorted(sys.modules))"
    )
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in eval(done.stdout)}
    assert loaded - sys.stdlib_module_names <= {"limbeck", "__main__"}
