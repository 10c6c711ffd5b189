"""One append to a stream on this machine, over a raw socket, within a time that the agent never notices."""

from __future__ import annotations

import socket
from time import monotonic

from capture.errors import QueueRefused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.config import Queue

REPLY_BYTES = 512


def stream_key(client: str) -> str:
    """Return the key of a client's stream; its braces are the hash tag all keys of the client share."""
    return f"limbeck:{{{client}}}:events"


def bundles_key(client: str) -> str:
    """Return the key that grows with every new generation of one of the client's bundles."""
    return f"limbeck:{{{client}}}:bundles"


def command(*parts: bytes) -> bytes:
    """Return a command in the protocol's form."""
    head = b"*%d\r\n" % len(parts)
    return head + b"".join(b"$%d\r\n%b\r\n" % (len(part), part) for part in parts)


def append(queue: Queue, client: str, line: bytes, seconds: float) -> None:
    """Add ``line`` to the client's stream and wait for the answer, all within ``seconds``.

    Raises QueueRefused where the answer is an error or does not come in time; the event may then have been
    taken all the same, and is told apart by its id.
    """
    end = monotonic() + seconds
    message = _login(queue) + command(b"XADD", stream_key(client).encode(), b"*", b"e", line)
    answers = 2 if queue.password else 1
    try:
        wire = _connect(queue, seconds)
        try:
            _send(wire, message, end)
            _receive(wire, answers, end)
        finally:
            wire.close()
    except OSError as error:
        raise QueueRefused(why=str(error) or type(error).__name__) from None


def _login(queue: Queue) -> bytes:
    if not queue.password:
        return b""
    user = [queue.user.encode()] if queue.user else []
    return command(b"AUTH", *user, queue.password.encode())


def _connect(queue: Queue, seconds: float) -> socket.socket:
    if queue.socket is not None:
        wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        address: str | tuple[str, int] = queue.socket
    else:
        host = "127.0.0.1" if queue.host in (None, "localhost") else queue.host
        wire = socket.socket(socket.AF_INET6 if host == "::1" else socket.AF_INET, socket.SOCK_STREAM)
        address = (host or "127.0.0.1", queue.port)
    wire.settimeout(seconds)
    try:
        wire.connect(address)
    except BaseException:
        wire.close()
        raise
    return wire


def _send(wire: socket.socket, message: bytes, end: float) -> None:
    rest = memoryview(message)
    while rest:
        wire.settimeout(_left(end))
        rest = rest[wire.send(rest) :]


def _receive(wire: socket.socket, answers: int, end: float) -> None:
    """Read ``answers`` replies, the last of which is the new entry's id."""
    got = b""
    while not _complete(got, answers):
        wire.settimeout(_left(end))
        part = wire.recv(REPLY_BYTES)
        if not part:
            raise QueueRefused(why="it closed the connection")
        got += part
        if len(got) > REPLY_BYTES:
            raise _refused(got)


def _complete(got: bytes, answers: int) -> bool:
    """Whether all replies have come; QueueRefused where one of them is no success, an empty one included."""
    *lines, _ = got.split(b"\r\n")
    if answers > 1 and lines:
        if not lines[0].startswith(b"+"):
            raise _refused(lines[0])
        lines.pop(0)
        answers -= 1
    if answers > 1 or not lines:
        return False
    if not (lines[0].startswith(b"$") and lines[0][1:].isdigit()):
        raise _refused(lines[0])
    if len(lines) > 1 and not lines[1].replace(b"-", b"", 1).isdigit():
        raise _refused(lines[1])
    return len(lines) > 1


def _refused(reply: bytes) -> QueueRefused:
    return QueueRefused(why=reply.split(b"\r\n")[0][1:80].decode("utf-8", "replace"))


def _left(end: float) -> float:
    left = end - monotonic()
    if left <= 0:
        raise QueueRefused(why="no answer in time")
    return left
