"""MCP over standard input and output: each line goes to the server, its answer comes back as a line.

One small process a session of an agent, so the standard library alone, and it ends when its input does. Standard output
carries the protocol and nothing else. The server keeps no state between requests; of what is negotiated only the
protocol's revision is remembered here, because the server wants it named with every request.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from limbeck.server.connections import Connections, Unreachable

META_VERSION = "io.modelcontextprotocol/protocolVersion"
# The parameter that a request's header names too, where the revision wants that.
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
MOST_BYTES = 4 * 1024 * 1024
AT_ONCE = 8
MCP = "/mcp"
LAST_ANSWERS = 5.0  # seconds that requests under way get once the input has ended
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INTERNAL = -32700, -32600, -32601, -32603

Post = Callable[[bytes, Mapping[str, str], bool], tuple[int, bytes]]


class Proxy:
    """Answers the lines of one agent through ``post``; ``is_off`` says whether memory is off on this device.

    ``post`` is told whether it may send a request a second time: what calls a tool may change something.
    """

    def __init__(self, post: Post, write: Callable[[bytes], object], is_off: Callable[[], bool]) -> None:
        """Nothing was negotiated yet."""
        self._post, self._write, self._is_off = post, write, is_off
        self._revision: str | None = None
        self._lock = threading.Lock()
        self._places = threading.Semaphore(AT_ONCE)

    def serve(self, lines: Iterable[bytes]) -> None:
        """Answer every line until they end, several at once."""
        running: list[threading.Thread] = []
        for line in lines:
            if not line.strip():
                continue
            message = self._read(line)
            if message is None:
                continue
            if message["method"] in ("initialize", "server/discover"):
                self.answer(message)  # what comes next depends on it
                continue
            self._places.acquire()
            thread = threading.Thread(target=self._answer_and_leave, args=(message,), daemon=True)
            thread.start()
            running = [one for one in running if one.is_alive()] + [thread]
        for thread in running:
            thread.join(LAST_ANSWERS)

    def answer(self, message: dict[str, Any]) -> None:
        """Answer one request."""
        try:
            reply = self._off(message) if self._is_off() else None
            reply = reply or self._ask(message)
        except Unreachable as error:
            # A probe for the newest revision falls back on this code; every other request is told what is wrong.
            code = NO_METHOD if message["method"] == "server/discover" else INTERNAL
            reply = _error(message["id"], code, str(error))
        except Exception as error:  # an agent waits for an answer to everything it asked
            reply = _error(message["id"], INTERNAL, f"The request was not passed on: {type(error).__name__}.")
        if message["method"] == "initialize":
            result = reply.get("result")
            version = result.get("protocolVersion") if isinstance(result, dict) else None
            self._revision = version if isinstance(version, str) else None
        self._say(reply)

    def _answer_and_leave(self, message: dict[str, Any]) -> None:
        try:
            self.answer(message)
        finally:
            self._places.release()

    def _read(self, line: bytes) -> dict[str, Any] | None:
        """The request in a line; None for what needs no answer, or was answered because it is none."""
        try:
            message = json.loads(line) if len(line) <= MOST_BYTES else None
        except (ValueError, RecursionError):
            self._say(_error(None, PARSE_ERROR, "The line is not JSON."))
            return None
        if message is None:
            self._say(_error(None, INVALID_REQUEST, f"The line is longer than {MOST_BYTES} bytes."))
            return None
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            if not isinstance(message, dict) or not {"result", "error"} & message.keys():
                self._say(
                    _error(None, INVALID_REQUEST, "One request a line is wanted: an object with a method.")
                )
            return None
        # A notification changes nothing in a server that keeps no state.
        if "id" not in message:
            return None
        if not isinstance(message["id"], str | int) or isinstance(message["id"], bool):
            self._say(_error(None, INVALID_REQUEST, "A request's id is a string or a whole number."))
            return None
        return message

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        again = message["method"] != "tools/call"
        status, body = self._post(json.dumps(message).encode(), self._headers(message), again)
        try:
            reply = json.loads(body)
        except (ValueError, RecursionError):
            reply = None
        if isinstance(reply, dict) and reply.get("jsonrpc") == "2.0":
            return reply if reply.get("id") is not None else reply | {"id": message["id"]}
        return _error(message["id"], INTERNAL, _refusal(status, reply))

    def _headers(self, message: dict[str, Any]) -> dict[str, str]:
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        named = meta.get(META_VERSION) if isinstance(meta, dict) else None
        if not isinstance(named, str):
            revision = None if message["method"] == "initialize" else self._revision
            return {} if revision is None else {"MCP-Protocol-Version": _header(revision)}
        headers = {"MCP-Protocol-Version": _header(named), "Mcp-Method": _header(message["method"])}
        name = params.get(NAMED.get(message["method"], ""))
        return headers | ({"Mcp-Name": _header(name)} if isinstance(name, str) else {})

    def _off(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """The answer where memory is off: no tools, whatever the server has."""
        if message["method"] == "tools/list":
            result: dict[str, Any] = {
                "tools": [],
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "private",
            }
        elif message["method"] == "tools/call":
            text = "Memory is switched off on this device. `limbeck memory on` switches it on again."
            result = {"content": [{"type": "text", "text": text}], "isError": True, "resultType": "complete"}
        else:
            return None
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def _say(self, reply: dict[str, Any]) -> None:
        line = json.dumps(reply, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            self._write(line)


def main(arguments: list[str]) -> int:
    """Serve standard input until it ends. ``arguments``: ``--home DIR`` and, for a server elsewhere, ``--url URL``."""
    told = dict(zip(arguments[::2], arguments[1::2], strict=False))
    home, url = told.get("--home", ""), told.get("--url")
    serve(home, url, os.environ, sys.stdin.buffer, sys.stdout.buffer)
    return 0


def serve(
    home: str, url: str | None, environment: Mapping[str, str], lines: Iterable[bytes], output: IO[bytes]
) -> None:
    """Answer ``lines`` on ``output`` from the server of ``home``, or from the one at ``url`` with LIMBECK_TOKEN."""

    def write(line: bytes) -> None:
        try:
            output.write(line)
            output.flush()
        except (OSError, ValueError):
            os._exit(0)  # nobody reads any more

    known: list[Connections] = []
    lock = threading.Lock()

    def found() -> Connections:
        # Looked up until it is found: the server may come up after the agent did.
        with lock:
            if not known:
                known.append(Connections(*whereto(home, url, environment), MCP))
            return known[0]

    def forget(connections: Connections) -> None:
        with lock:
            if connections in known:
                known.clear()
        connections.close()

    def post(body: bytes, headers: Mapping[str, str], again: bool) -> tuple[int, bytes]:
        connections = found()
        try:
            status, answer = connections.post(body, headers, again=again)
        except Unreachable:
            forget(connections)
            raise
        if status == 401:
            forget(connections)  # another token may lie there by now
        return status, answer

    Proxy(post, write, lambda: Path(home, "memory-off").exists()).serve(lines)


def whereto(home: str, url: str | None, environment: Mapping[str, str]) -> tuple[str, str]:
    """Return the server's address and the token to send. Raises Unreachable."""
    token = environment.get("LIMBECK_TOKEN", "").strip()
    file = environment.get("LIMBECK_TOKEN_FILE", "") or ("" if url else str(Path(home, "token")))
    if not token and file:
        try:
            token = Path(file).read_text("ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            if url or "LIMBECK_TOKEN_FILE" in environment:
                raise Unreachable(f"The token cannot be read from {file}: {error}.") from error
    if url and not token:
        raise Unreachable(
            f"No token for {url}: set LIMBECK_TOKEN, or LIMBECK_TOKEN_FILE to a file that holds it."
        )
    if not url:
        try:
            url = str(json.loads(Path(home, "run", "server.json").read_text("utf-8"))["url"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Unreachable("Limbeck's server is not running here: run `limbeck up`.") from error
    if not token:
        raise Unreachable(f"There is no token in {file}: run `limbeck up`, which makes one.")
    return url, token


def _header(value: str) -> str:
    """A value as headers can carry it: what is not plain printable ASCII goes as Base64, as the protocol says."""
    if (
        value.isascii()
        and value.isprintable()
        and value == value.strip()
        and not value.startswith("=?base64?")
    ):
        return value
    return f"=?base64?{b64encode(value.encode('utf-8', 'replace')).decode()}?="


def _refusal(status: int, body: object) -> str:
    if status == 401:
        return (
            "The server does not take this token: run `limbeck up`, or make one with `limbeck token create`."
        )
    said = body.get("message") or body.get("error") if isinstance(body, dict) else None
    return f"The server answered {status}{f': {said}' if said else ''}."


def _error(to: object, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": to, "error": {"code": code, "message": message}}
