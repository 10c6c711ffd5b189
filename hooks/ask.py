"""What is known of a prompt, asked of the local server: off unless a person switched it on.

One request over a raw socket within a time of its own; whatever goes wrong, nothing is said.
"""

from __future__ import annotations

import socket
from time import monotonic

from capture.brief import MOST_CHARS, keys
from capture.jsonio import encode, parse
from capture.project import find
from capture.regular import read_regular
from hooks.context import off, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.config import Asked, HookConfig
    from capture.event import Event

SECONDS = 0.5
MOST_ANSWER = 262144
LONGEST_QUESTION = 2000


def prepared(event: Event, line: bytes, home: str, config: HookConfig) -> bytes | None:
    """Return what to print beside the prompt in ``line``, an encoded (so redacted) envelope; None for nothing."""
    if config.ask is None or event.subagent or event.extra.get("machine") or off(home):
        return None
    try:
        said = parse(line.decode("utf-8"))
        body = said["body"] if isinstance(said, dict) else {}
        question = body["text"][:LONGEST_QUESTION] if isinstance(body, dict) else ""
        wanted = {"prompt": question, "keys": keys(find(event.cwd, make_id=None))}
        answer = _asked(config.ask, encode(wanted), monotonic() + SECONDS)
        text = answer.get("text") if isinstance(answer, dict) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not isinstance(text, str) or not text.strip() or len(text) > MOST_CHARS:
        return None
    return encode(spoken(event, text)) + b"\n"


def _asked(ask: Asked, body: bytes, end: float) -> object:
    host, port = _address(ask.server)
    token = read_regular(ask.token, 1024).decode("ascii").strip()
    head = (
        f"POST /v1/context HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wire = socket.socket(family, socket.SOCK_STREAM)
    try:
        wire.settimeout(_left(end))
        wire.connect((host.strip("[]"), port))
        rest = memoryview(head.encode("ascii") + body)
        while rest:
            wire.settimeout(_left(end))
            rest = rest[wire.send(rest) :]
        got = b""
        while len(got) < MOST_ANSWER:
            wire.settimeout(_left(end))
            part = wire.recv(65536)
            if not part:
                break
            got += part
    finally:
        wire.close()
    status, _, rest_of = got.partition(b"\r\n")
    if b" 200 " not in status[:16]:
        raise ValueError("no answer")
    return parse(rest_of.partition(b"\r\n\r\n")[2].decode("utf-8"))


def _address(path: str) -> tuple[str, int]:
    """Where the server says it listens; anything but a loopback address is refused."""
    said = parse(read_regular(path, 4096).decode("utf-8"))
    url = said.get("url") if isinstance(said, dict) else None
    host, _, port = str(url).removeprefix("http://").rpartition(":")
    if host not in ("127.0.0.1", "[::1]"):
        raise ValueError("not on this machine")
    return host, int(port)


def _left(end: float) -> float:
    left = end - monotonic()
    if left <= 0:
        raise OSError("no answer in time")
    return left
