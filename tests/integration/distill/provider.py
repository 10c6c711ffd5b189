"""A model provider on loopback: speaks the Messages API, streamed or whole, and misbehaves as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], "Turn"]


@dataclass
class Turn:
    """One answer: a tool input, or a status, or silence."""

    given: object = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    stop: str = "tool_use"
    stall: bool = False
    text: str | None = None
    tool: str = "record_session"
    usage: tuple[int, int, int, int] = (1000, 200, 0, 0)


class Provider(ThreadingHTTPServer):
    """Answers the requests with ``turns`` in order, the last one for ever."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.turns: list[Turn | Answer] = []
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def next(self, request: dict[str, Any]) -> Turn:
        with self.lock:
            self.requests.append(request)
            turn = self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        return turn if isinstance(turn, Turn) else turn(request)


@contextmanager
def provider(*turns: Turn | Answer) -> Iterator[Provider]:
    server = Provider()
    server.turns = list(turns)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: Provider
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Be quiet."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert self.path.startswith("/v1/messages")
        turn = self.server.next(request)
        if turn.status != 200:
            self._whole(
                turn.status, {"type": "error", "error": {"type": "error", "message": "no"}}, turn.headers
            )
        elif request.get("stream"):
            self._streamed(turn)
        elif turn.stall:
            self._stall()
        else:
            self._whole(200, _message(turn), turn.headers)

    def _whole(self, status: int, body: dict[str, Any], headers: dict[str, str]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stall(self) -> None:
        self.server.released.wait()
        self.close_connection = True

    def _streamed(self, turn: Turn) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        message = _message(turn)
        start = {**message, "content": [], "stop_reason": None}
        self._event("message_start", {"message": start})
        if turn.stall:
            self._stall()
            return
        for index, block in enumerate(message["content"]):
            self._block(index, block)
        self._event(
            "message_delta",
            {
                "delta": {"stop_reason": turn.stop, "stop_sequence": None},
                "usage": {"output_tokens": turn.usage[1]},
            },
        )
        self._event("message_stop", {})

    def _block(self, index: int, block: dict[str, Any]) -> None:
        if block["type"] == "text":
            self._event(
                "content_block_start", {"index": index, "content_block": {"type": "text", "text": ""}}
            )
            self._event(
                "content_block_delta",
                {"index": index, "delta": {"type": "text_delta", "text": block["text"]}},
            )
        else:
            self._event("content_block_start", {"index": index, "content_block": {**block, "input": {}}})
            text = json.dumps(block["input"])
            for piece in (text[: len(text) // 2], text[len(text) // 2 :]):
                delta = {"type": "input_json_delta", "partial_json": piece}
                self._event("content_block_delta", {"index": index, "delta": delta})
        self._event("content_block_stop", {"index": index})

    def _event(self, name: str, data: dict[str, Any]) -> None:
        self.wfile.write(f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode())
        self.wfile.flush()


def _message(turn: Turn) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": turn.text}] if turn.text else []
    if turn.given is not None:
        content.append({"type": "tool_use", "id": "toolu_1", "name": turn.tool, "input": turn.given})
    input_tokens, output, read, write = turn.usage
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": content,
        "stop_reason": turn.stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": input_tokens,
            "output_tokens": output,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": write,
        },
    }
