"""One Redis command on a raw socket, for a process too small to carry a client library."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

Reply = bytes | int | None


def call(path: Path, *words: str, seconds: float = 2.0) -> Reply:
    """Send one command to the server at the unix socket ``path``; returns a text, a number or None.

    Raises OSError where nobody answers in time, and for a reply of any other shape or an error reply.
    """
    command = b"*%d\r\n" % len(words)
    for word in words:
        data = word.encode()
        command += b"$%d\r\n%s\r\n" % (len(data), data)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        connection.connect(str(path))
        connection.sendall(command)
        with connection.makefile("rb") as stream:
            return _reply(stream.readline(65_536).rstrip(), stream.read)


def _reply(line: bytes, read: Callable[[int], bytes]) -> Reply:
    kind, rest = line[:1], line[1:]
    if kind == b"+":
        return rest
    if kind == b":":
        return int(rest)
    if kind == b"$":
        return None if rest == b"-1" else read(int(rest) + 2)[:-2]
    raise OSError(f"the queue answered {rest.decode(errors='replace') or 'nothing'}")
