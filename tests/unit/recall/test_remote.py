"""A provider over the network, against a server on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

from recall.embedding.choose import Choice, chosen
from recall.embedding.minilm import MiniLM
from recall.embedding.remote import Remote
from recall.errors import BadProvider, EmbeddingUnavailable, TextRefused


class Provider:
    """Answers with what ``answer`` makes of the request's body."""

    def __init__(self) -> None:
        self.status, self.seen, self.answer = 200, [], lambda body: {"data": []}
        self.elsewhere = ""


@pytest.fixture
def provider() -> Iterator[tuple[Provider, str]]:
    state = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.seen.append((self.path, self.headers.get("Authorization"), body))
            answer = state.answer(body)
            self.send_response(state.status)
            if state.elsewhere:
                self.send_header("Location", state.elsewhere)
            self.end_headers()
            self.wfile.write(answer if isinstance(answer, bytes) else json.dumps(answer).encode())

        def do_GET(self) -> None:
            state.seen.append((self.path, self.headers.get("Authorization"), None))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield state, f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def rows(body: dict, width: int = 8) -> dict:
    made = [
        {"index": n, "embedding": [0.0] * n + [3.0] + [0.0] * (width - n - 1)}
        for n in range(len(body["input"]))
    ]
    return {"data": made[::-1]}


def test_vectors_come_in_order_and_of_length_one(provider):
    state, url = provider
    state.answer = rows
    vectors = Remote(url, "m", 8, key="k" * 12).embed(["one", "two", ""])
    assert np.array_equal(vectors, np.eye(3, 8, dtype=np.float32))
    assert state.seen == [
        ("/v1/embeddings", "Bearer " + "k" * 12, {"model": "m", "input": ["one", "two", " "]}),
    ]


@pytest.mark.parametrize(
    ("status", "refused"), [(400, True), (413, True), (422, True), (429, False), (500, False)]
)
def test_which_answers_refuse_a_text(provider, status, refused):
    state, url = provider
    state.status = status
    with pytest.raises(EmbeddingUnavailable, match=f"answered {status}") as raised:
        Remote(url, "m", 8).embed(["one"])
    assert isinstance(raised.value, TextRefused) is refused


def test_the_key_follows_no_redirect(provider):
    state, url = provider
    state.status, state.elsewhere = 302, f"{url}/other"
    with pytest.raises(EmbeddingUnavailable, match="answered 302"):
        Remote(url, "m", 8, key="k" * 12).embed(["one"])
    assert [path for path, _, _ in state.seen] == ["/v1/embeddings"]


@pytest.mark.parametrize(
    ("status", "answer", "why"),
    [
        (500, {}, "answered 500"),
        (401, {}, "answered 401"),
        (200, b"not json", "no usable answer"),
        (200, {"other": 1}, "embeddings format"),
        (200, {"data": [{"index": 0, "embedding": [1.0, 2.0]}]}, "shape"),
        (200, {"data": [{"index": 0, "embedding": [0.0] * 8}]}, "without direction"),
    ],
)
def test_an_unusable_answer_is_said_to_be_so_without_the_key(provider, status, answer, why):
    state, url = provider
    state.status, state.answer = status, lambda body: answer
    with pytest.raises(EmbeddingUnavailable, match=why) as caught:
        Remote(url, "m", 8, key="hidden-key-value").embed(["one"])
    assert "hidden-key-value" not in str(caught.value)
    assert not caught.value.permanent


def test_nobody_answers():
    with pytest.raises(EmbeddingUnavailable):
        Remote("http://127.0.0.1:9/v1", "m", 8).embed(["one"])


@pytest.mark.parametrize(
    "url", ["http://example.org/v1", "ftp://localhost", "file:///etc/passwd", "nonsense"]
)
def test_a_key_is_never_sent_in_the_clear(url):
    with pytest.raises(BadProvider, match="https"):
        Remote(url, "m", 8, key="k")


def test_models_of_other_width_are_other_spaces():
    names = {Remote("https://a.example/v1", "m", width).model for width in (8, 16)}
    assert len(names) == 2


def test_choices():
    assert chosen(Choice("off")) is None
    assert isinstance(chosen(Choice()), MiniLM)
    assert chosen(Choice("voyage", key="k")).dimension == 1024
    assert (
        chosen(Choice("openai", url="https://a.example/v1", model="m", dimension=64)).model
        == "a.example/m/64"
    )
    assert "hidden" not in repr(Choice("openai", key="hidden"))
