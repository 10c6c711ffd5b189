"""One append over a socket, against servers that answer well, badly, late or never."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from capture.config import Queue
from capture.errors import QueueRefused
from capture.queue import append, command, stream_key

SECONDS = 5.0
ANSWER = b"$15\r\n1796000000000-0\r\n"
WANTED = b"*5\r\n$4\r\nXADD\r\n$22\r\nlimbeck:{team-a}:events\r\n$1\r\n*\r\n$1\r\ne\r\n$2\r\n{}\r\n"


@contextmanager
def server(path: Path, serve: Callable[[socket.socket], None]) -> Iterator[Queue]:
    """A server for one connection."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(1)

    def run() -> None:
        connection, _ = listener.accept()
        with connection:
            serve(connection)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield Queue(socket=str(path))
    finally:
        thread.join()
        listener.close()


def test_the_stream_and_the_command() -> None:
    assert stream_key("local") == "limbeck:{local}:events"
    assert command(b"A", b"bc") == b"*2\r\n$1\r\nA\r\n$2\r\nbc\r\n"


def test_an_answered_append(tmp_path: Path) -> None:
    seen: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        got = b""
        while len(got) < len(WANTED):
            got += connection.recv(4096)
        seen.append(got)
        for part in (ANSWER[:3], ANSWER[3:9], ANSWER[9:]):
            connection.sendall(part)

    with server(tmp_path / "q", serve) as queue:
        append(queue, "team-a", b"{}", SECONDS)
    assert seen == [WANTED.replace(b"$22", b"$%d" % len("limbeck:{team-a}:events"))]


def test_a_password_goes_first(tmp_path: Path) -> None:
    seen: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        got = b""
        while not got.endswith(b"{}\r\n"):
            got += connection.recv(4096)
        seen.append(got)
        connection.sendall(b"+OK\r\n" + ANSWER)

    with server(tmp_path / "q", serve) as queue:
        queue.user, queue.password = "u", "w"
        append(queue, "c", b"{}", SECONDS)
    assert seen[0].startswith(b"*3\r\n$4\r\nAUTH\r\n$1\r\nu\r\n$1\r\nw\r\n*5\r\n")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"-OOM command not allowed\r\n", "OOM command not allowed"),
        (b"-ERR x\r\n", "ERR x"),
        (b"", "closed the connection"),
        (b"x" * 600, "x"),
        (b"$-1\r\n", "1"),
        (b"$-1\r\n+OK\r\n", "1"),
        (b":1\r\n", "1"),
        (b"$2\r\nno\r\n", "o"),
    ],
)
def test_a_refusal_is_told(tmp_path: Path, answer: bytes, why: str) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(answer)

    with server(tmp_path / "q", serve) as queue, pytest.raises(QueueRefused, match=why):
        append(queue, "c", b"{}", SECONDS)


def test_a_refused_login_with_an_answer_after_it(tmp_path: Path) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(b"-WRONGPASS no\r\n-NOAUTH no\r\n")

    with server(tmp_path / "q", serve) as queue:
        queue.password = "w"
        with pytest.raises(QueueRefused, match="WRONGPASS"):
            append(queue, "c", b"{}", SECONDS)


def test_a_server_that_never_answers(tmp_path: Path) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "q"))
    listener.listen(1)
    with listener:
        for line in (b"{}", b"x" * 4_000_000):
            with pytest.raises(QueueRefused):
                append(Queue(socket=str(tmp_path / "q")), "c", line, 0.002)


def test_nobody_there(tmp_path: Path) -> None:
    with pytest.raises(QueueRefused):
        append(Queue(socket=str(tmp_path / "nobody")), "c", b"{}", SECONDS)
    with pytest.raises(QueueRefused):
        append(Queue(socket="/" + "x" * 200), "c", b"{}", SECONDS)
