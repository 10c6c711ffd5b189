"""A model server on loopback, and at the same time the proxy that lets the agents reach nothing else."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from tests.agents.script import Script


class ModelServer(ThreadingHTTPServer):
    """Answers model requests from ``script``; ``refused`` are the hosts an agent wanted besides.

    ``asked`` are the requests so far, and ``times`` when each came.
    """

    daemon_threads = True

    def __init__(self, handler: type[Handler], script: Script) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.script = script
        self.asked: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.refused: list[str] = []
        self.news = threading.Condition()
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"

    def note(self, request: dict[str, Any]) -> None:
        """Keep a request and wake whoever waits for one."""
        with self.news:
            self.asked.append(request)
            self.times.append(time.monotonic())
            self.news.notify_all()

    def wait_for(self, text: str, seconds: float = 60.0) -> None:
        """Wait until a request that contains ``text`` was answered."""
        with self.news:
            assert self.news.wait_for(lambda: any(text in json.dumps(one) for one in self.asked), seconds), (
                text
            )


class Handler(BaseHTTPRequestHandler):
    """What both protocols share. A subclass answers ``POST`` in ``reply``."""

    server: ModelServer
    protocol_version = "HTTP/1.1"
    empty: ClassVar[dict[str, Any]] = {}

    def log_message(self, *_: object) -> None:
        """Be quiet."""

    def do_CONNECT(self) -> None:
        """The agents' proxy: nothing is let out."""
        self.server.refused.append(self.path)
        self.send_error(403)

    def do_GET(self) -> None:
        """Lists of models and the like are empty; another host's page is refused."""
        if self.path.startswith("http"):
            self.server.refused.append(self.path)
            self.send_error(403)
            return
        self.send_json(self.empty)

    def do_POST(self) -> None:
        """Hand a request to the protocol."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path.startswith("http"):
            self.server.refused.append(self.path)
            self.send_error(403)
            return
        try:
            request = json.loads(body)
        except ValueError:
            self.send_error(400)
            return
        self.reply(request)

    def reply(self, request: dict[str, Any]) -> None:
        """Answer one model request."""
        raise NotImplementedError

    def send_json(self, value: Mapping[str, Any]) -> None:
        """Answer with one JSON value."""
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def send_events(self, events: list[dict[str, Any]]) -> None:
        """Answer with a stream of server-sent events, each named by its type where it has one."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            named = f"event: {event['type']}\n" if "type" in event else ""
            self.wfile.write(f"{named}data: {json.dumps(event)}\n\n".encode())
        self.close_connection = True
