"""The queue as the shipper sees it: a batch goes in whole and in order, or is tried again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from capture.config import Queue
from capture.queue import stream_key
from limbeck.services.resp import pipeline
from limbeck.ship.errors import QueueUnavailable

CLIENTS = "limbeck:clients"
CAPTURE = "/v1/capture"
OK, TOO_LARGE = 200, 413
SECONDS = 10.0


class Sender(Protocol):
    """Where finished envelopes go."""

    def send(self, lines: Sequence[bytes]) -> None:
        """Append all ``lines`` in order; returns once every one was answered, else raises QueueUnavailable."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


class RedisSender:
    """Appends to one client's stream on a Redis-compatible server, also a remote one or one behind TLS."""

    def __init__(self, url: str, client: str) -> None:
        """``url`` is ``redis://``, ``rediss://`` or ``unix://``; nothing is connected yet."""
        import redis

        self._redis = redis.Redis.from_url(url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
        self._stream = stream_key(client)
        self._client = client
        self._error = redis.RedisError
        self._forbidden = redis.exceptions.NoPermissionError
        self._known = False

    def send(self, lines: Sequence[bytes]) -> None:
        """Append all ``lines`` in one round trip."""
        try:
            if not self._known:
                with suppress(
                    self._forbidden
                ):  # an account for the stream alone: the workers know their clients
                    self._redis.sadd(CLIENTS, self._client)
                self._known = True
            with self._redis.pipeline(transaction=False) as pipeline:
                for line in lines:
                    pipeline.xadd(self._stream, {"e": line})
                _taken(pipeline.execute())
        except (self._error, OSError, ValueError) as error:
            self._known = False
            raise QueueUnavailable(why=str(error) or type(error).__name__) from error

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()


class SocketSender:
    """The same for a server on a unix socket without a password, as the embedded one: no client library needed."""

    def __init__(self, path: Path, client: str) -> None:
        """Nothing is connected; each batch opens a connection of its own."""
        self._path, self._client = path, client
        self._stream = stream_key(client)

    def send(self, lines: Sequence[bytes]) -> None:
        """Append all ``lines`` in one round trip."""
        commands: list[tuple[str | bytes, ...]] = [("SADD", CLIENTS, self._client)]
        commands += [("XADD", self._stream, "*", "e", line) for line in lines]
        try:
            _taken(pipeline(self._path, commands, seconds=SECONDS)[1:])
        except (OSError, ValueError) as error:
            raise QueueUnavailable(why=str(error) or type(error).__name__) from error

    def close(self) -> None:
        """Nothing to let go of."""


class HttpSender:
    """Sends to a team's server, which answers for each event by itself; what it will never take goes to ``keep``."""

    def __init__(self, url: str, token: str, keep: Callable[[bytes], object]) -> None:
        """Nothing is connected yet; ``keep`` gets each line that was refused for good."""
        from limbeck.server.connections import Connections, Unreachable

        self._error = Unreachable
        try:
            self._connections = Connections(url, token, CAPTURE)
        except Unreachable as error:
            raise QueueUnavailable(why=error) from error
        self._keep = keep

    def send(self, lines: Sequence[bytes]) -> None:
        """Send all ``lines`` in one request, or in several where that is too large."""
        try:
            body = b'{"events":[' + b",".join(lines) + b"]}"
            status, body = self._connections.post(body, again=True)  # an event has one effect, by its id
        except self._error as error:
            raise QueueUnavailable(why=error) from error
        if status == TOO_LARGE and len(lines) > 1:
            half = len(lines) // 2
            self.send(lines[:half])
            self.send(lines[half:])
        elif status == TOO_LARGE:
            self._keep(lines[0])
        else:
            for index in _refused(status, body, len(lines)):
                self._keep(lines[index])

    def close(self) -> None:
        """Close the connections."""
        self._connections.close()


def _refused(status: int, body: bytes, count: int) -> list[int]:
    """Which lines a server will not take; QueueUnavailable unless it answered for every one of them."""
    import json

    why = {401: "it does not know this token", 403: "this token may not send events"}.get(status)
    try:
        said = json.loads(body)
        if status == OK:
            refused = sorted({int(one["index"]) for one in said["refused"]})
            if said["accepted"] + len(refused) == count and all(0 <= one < count for one in refused):
                return refused
            why = "it answered for other events than were sent"
    except (ValueError, KeyError, TypeError):
        why = why or "its answer cannot be read"
    raise QueueUnavailable(why=why or f"it answered {status}")


def _taken(replies: Sequence[object]) -> None:
    """Raise ValueError unless each reply is an entry's id: an empty or unfinished one has taken nothing."""
    for reply in replies:
        if not isinstance(reply, bytes) or not reply.replace(b"-", b"", 1).isdigit():
            raise ValueError("it answered without an entry's id")


class MemorySender:
    """The same in memory, for tests; ``failing`` makes it refuse."""

    def __init__(self) -> None:
        """Nothing was sent yet."""
        self.sent: list[bytes] = []
        self.failing = False

    def send(self, lines: Sequence[bytes]) -> None:
        """Remember the lines, or refuse them all."""
        if self.failing:
            raise QueueUnavailable(why="it is told to fail")
        self.sent.extend(lines)

    def close(self) -> None:
        """Nothing to let go of."""


def url_of(queue: Queue) -> str:
    """Return the address of the queue that hooks use, as a URL."""
    from urllib.parse import quote

    login = ""
    if queue.password:
        login = f"{quote(queue.user or '', safe='')}:{quote(queue.password, safe='')}@"
    if queue.socket is not None:
        return f"unix://{login}{quote(queue.socket)}"
    host = f"[{queue.host}]" if queue.host and ":" in queue.host else queue.host
    return f"{'rediss' if queue.tls else 'redis'}://{login}{host}:{queue.port}"
