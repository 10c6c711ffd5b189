"""Connections that are kept, against a server that closes them at every moment it can."""

from __future__ import annotations

import socket
import threading

import pytest

from limbeck.server.connections import Connections, Unreachable

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Server:
    """Takes requests as its ``script`` says, one list of moves a connection; counts the whole requests it read.

    Moves: "answer", "read" (takes a request and closes without an answer), "half" (closes inside the answer).
    """

    def __init__(self, *script):
        self.script, self.taken = [list(moves) for moves in script], 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.closed = [threading.Event() for _ in script]
        self.threads = [threading.Thread(target=self.accept)]
        self.threads[0].start()

    def accept(self):
        for moves, closed in zip(self.script, self.closed, strict=True):
            connection, _ = self.listener.accept()
            thread = threading.Thread(target=self.play, args=(connection, moves, closed))
            self.threads.append(thread)
            thread.start()

    def play(self, connection, moves, closed):
        with connection, connection.makefile("rb") as stream:
            for move in moves:
                length, line = 0, stream.readline()
                if not line:
                    break
                while (line := stream.readline()) != b"\r\n":
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                stream.read(length)
                self.taken += 1
                if move == "read":
                    break
                connection.sendall(ANSWER if move == "answer" else ANSWER[:-1])
        closed.set()

    def end(self):
        self.listener.close()
        for thread in self.threads:
            thread.join(10)
            assert not thread.is_alive()


@pytest.fixture
def serving():
    """Start a server; returns it and what asks it."""
    made = []

    def start(*script):
        server = Server(*script)
        connections = Connections(f"http://127.0.0.1:{server.port}", "lbk_x", "/x")
        made.append((server, connections))
        return server, connections

    yield start
    for server, connections in made:
        connections.close()
        server.end()


def both_kept(connections, server):
    """Two connections in the pool: two requests at a time."""
    barrier = threading.Barrier(2)
    real = connections._ask

    def together(connection, body, headers):
        barrier.wait(10)
        return real(connection, body, headers)

    connections._ask = together
    threads = [threading.Thread(target=connections.post, args=(b"1",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    connections._ask = real
    assert len(connections._free) == server.taken == 2


def test_a_connection_is_used_again(serving):
    server, connections = serving(["answer", "answer"])
    assert [connections.post(b"1"), connections.post(b"2")] == [(200, b"ok")] * 2
    assert server.taken == 2


def test_kept_connections_that_are_all_closed_cost_no_request(serving):
    """Also what must not be sent twice: that they are closed is seen before it is sent."""
    server, connections = serving(["answer"], ["answer"], ["answer"])
    both_kept(connections, server)
    for closed in server.closed[:2]:
        assert closed.wait(10)
    assert connections.post(b"3") == (200, b"ok")
    assert server.taken == 3


def test_what_was_sent_and_not_answered_is_not_sent_again(serving):
    server, connections = serving(["answer", "read"], ["answer"])
    connections.post(b"1")
    with pytest.raises(Unreachable, match="may have done"):
        connections.post(b"2")
    assert server.taken == 2
    assert connections.post(b"3") == (200, b"ok")


def test_what_may_be_done_twice_is_sent_again_over_a_new_connection(serving):
    server, connections = serving(["answer", "read"], ["answer", "half"], ["answer"])
    both_kept(connections, server)
    assert connections.post(b"3", again=True) == (200, b"ok")
    assert server.taken == 4


def test_a_new_connection_that_ends_is_told(serving):
    server, connections = serving(["read"])
    with pytest.raises(Unreachable, match="No server answers"):
        connections.post(b"1", again=True)
    assert server.taken == 1


def test_the_last_kept_connection_is_for_one(serving):
    _, connections = serving(["answer"])
    connections.post(b"1")
    last = connections._next()
    assert last is not None
    assert connections._next() is connections._kept() is None
    last.close()
