"""With it switched on, a prompt is answered with what the local server knows of it; off or in trouble, with nothing."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from capture import brief
from capture.config import Asked, HookConfig, write
from tests.acceptance.hooks.conftest import Hook

TEXT = "<limbeck-memory>\n- Payments retry three times.\n</limbeck-memory>"


class Server(HTTPServer):
    """A server of one answer that keeps what it was asked."""

    def __init__(self, status: int, answer: bytes) -> None:
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        self.status, self.answer = status, answer
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, dict(self.headers), json.loads(body)))
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(self.server.answer)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextmanager
def serving(status: int = 200, answer: object = None) -> Iterator[Server]:
    server = Server(status, json.dumps({"text": TEXT} if answer is None else answer).encode())
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def use(hook: Hook, port: int) -> None:
    token = hook.home / "token"
    token.write_text("made-up\n")
    server = hook.home / "server.json"
    server.write_text(json.dumps({"url": f"http://127.0.0.1:{port}", "pid": 1}))
    write(hook.home, HookConfig("local", str(hook.spool), ask=Asked(str(server), str(token))))


def answer(hook: Hook, cwd: Path, prompt: str = "how do payments retry?", **more: Any) -> bytes:
    payload = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s1",
        "cwd": str(cwd),
        "prompt": prompt,
    } | more
    process = hook.start("claude")
    out, err = process.communicate(json.dumps(payload).encode())
    assert (process.returncode, err, len(hook.events())) == (0, b"", 1)
    return out


def test_the_prompt_is_answered_with_what_is_known(hook: Hook, tmp_path: Path) -> None:
    with serving() as server:
        use(hook, server.server_port)
        said = json.loads(answer(hook, tmp_path))
    assert said == {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": TEXT}}
    path, headers, body = server.asked[0]
    assert (path, headers["Authorization"]) == ("/v1/context", "Bearer made-up")
    assert body == {"prompt": "how do payments retry?", "keys": [f"root:{tmp_path}"]}


def test_the_plain_modules_do_the_same(plain_hook: Hook, tmp_path: Path) -> None:
    with serving() as server:
        use(plain_hook, server.server_port)
        said = json.loads(answer(plain_hook, tmp_path))
    assert said["hookSpecificOutput"]["additionalContext"] == TEXT


def test_a_secret_in_the_prompt_is_not_asked_about(hook: Hook, tmp_path: Path) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"
    with serving() as server:
        use(hook, server.server_port)
        answer(hook, tmp_path, prompt=f"why does {secret} not work?")
    assert secret not in json.dumps(server.asked[0])


def test_an_error_says_nothing(hook: Hook, tmp_path: Path) -> None:
    with serving(status=500) as server:
        use(hook, server.server_port)
        assert answer(hook, tmp_path) == b""
    assert len(server.asked) == 1


def test_an_answer_of_another_shape_says_nothing(hook: Hook, tmp_path: Path) -> None:
    with serving(answer=["text"]) as server:
        use(hook, server.server_port)
        assert answer(hook, tmp_path) == b""


def test_a_server_that_never_answers_is_not_waited_for(hook: Hook, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        use(hook, deaf.getsockname()[1])
        assert answer(hook, tmp_path) == b""


def test_switched_off_nothing_is_asked(hook: Hook, tmp_path: Path) -> None:
    with serving() as server:
        use(hook, server.server_port)
        (hook.home / brief.OFF).touch()
        assert answer(hook, tmp_path) == b""
    assert server.asked == []


def test_a_machines_prompt_asks_nothing(hook: Hook, tmp_path: Path) -> None:
    with serving() as server:
        use(hook, server.server_port)
        assert answer(hook, tmp_path, prompt="<task-notification>done</task-notification>") == b""
    assert server.asked == []
