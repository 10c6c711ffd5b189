"""Redis commands on a raw unix socket, for a process too small to carry a client library."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from pathlib import Path

Reply = bytes | int | None


def call(path: Path, *words: str | bytes, seconds: float = 2.0) -> Reply:
    """Send one command to the server at ``path``; returns a text, a number or None.

    Raises OSError where nobody answers in time, for an error reply, and for one of any other shape.
    """
    return pipeline(path, [words], seconds=seconds)[0]


def pipeline(path: Path, commands: Sequence[Sequence[str | bytes]], seconds: float = 2.0) -> list[Reply]:
    """Send ``commands`` together; returns one reply each, in order. Raises as ``call``."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        connection.connect(str(path))
        connection.sendall(b"".join(_encoded(words) for words in commands))
        with connection.makefile("rb") as stream:
            return [_reply(stream.readline(65_536).rstrip(), stream.read) for _ in commands]


def _encoded(words: Sequence[str | bytes]) -> bytes:
    parts = [word.encode() if isinstance(word, str) else word for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%b\r\n" % (len(part), part) for part in parts)


def _reply(line: bytes, read: Callable[[int], bytes]) -> Reply:
    kind, rest = line[:1], line[1:]
    if kind == b"+":
        return rest
    if kind == b":":
        return int(rest)
    if kind == b"$":
        return None if rest == b"-1" else read(int(rest) + 2)[:-2]
    raise OSError(f"the queue answered {rest.decode(errors='replace') or 'nothing'}")
