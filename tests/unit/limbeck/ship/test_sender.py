"""A sender believes nothing but the id of each entry."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from limbeck.ship.errors import QueueUnavailable
from limbeck.ship.sender import RedisSender, Sender, SocketSender

TAKEN = b"$3\r\n1-0\r\n"


def answering(path: Path, answers: list[bytes]) -> threading.Thread:
    """Give one of ``answers`` to each message that comes on one connection, then close it."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(1)

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, listener:
            for answer in answers:
                connection.recv(65_536)
                connection.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    return thread


@pytest.mark.parametrize(
    "answer", [b"$-1\r\n", b"$3\r\n1-", b"$0\r\n\r\n", b":1\r\n", b"+OK\r\n", b"$x\r\n", b"-OOM no\r\n", b""]
)
def test_an_answer_without_an_id_has_taken_nothing(tmp_path: Path, answer: bytes) -> None:
    thread = answering(tmp_path / "s", [b":1\r\n" + TAKEN + answer])
    with pytest.raises(QueueUnavailable):
        SocketSender(tmp_path / "s", "c").send([b"{}", b"{}"])
    thread.join()


def test_an_id_for_each_has_taken_all(tmp_path: Path) -> None:
    thread = answering(tmp_path / "s", [b":1\r\n" + TAKEN + TAKEN])
    sender: Sender = SocketSender(tmp_path / "s", "c")
    sender.send([b"{}", b"{}"])
    thread.join()


def test_the_client_library_is_believed_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    sender = RedisSender("redis://127.0.0.1:1", "c")

    class Pipeline:
        def __enter__(self) -> Pipeline:
            return self

        def __exit__(self, *_error: object) -> None: ...

        def xadd(self, *_entry: object) -> None: ...

        def execute(self) -> list[object]:
            return [b"1-0", None]

    class Client:
        def sadd(self, *_member: object) -> None: ...

        def pipeline(self, transaction: bool) -> Pipeline:
            return Pipeline()

    monkeypatch.setattr(sender, "_redis", Client())
    with pytest.raises(QueueUnavailable, match="without an entry's id"):
        sender.send([b"{}", b"{}"])
