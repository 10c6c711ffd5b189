"""What hooks read: ``hook.json`` in Limbeck's home. Nothing of it comes from the environment."""

from __future__ import annotations

import os

from capture.errors import BadHookConfig
from capture.jsonio import encode, parse
from capture.paths import absolute, slashes
from capture.policy import Policy
from capture.regular import read_regular

NAME = "hook.json"
MOST_BYTES = 262144
MOST_TEXT = 1_000_000
MOST_SPOOL = 1 << 50
MOST_SECONDS = 60
MOST_PORT = 65535
LOOPBACK = ("127.0.0.1", "::1")


class Limits:
    """How long a prompt's or reply's text may be (characters), how large the spool, how slow the queue.

    ``queue_seconds`` is for connect, write and reply together; ``fsync`` waits for the spool's disk.
    """

    __slots__ = ("fsync", "queue_seconds", "spool_bytes", "text")

    def __init__(
        self,
        text: int = 32000,
        spool_bytes: int = 64 * 1024 * 1024,
        queue_seconds: float = 0.002,
        fsync: bool = False,
    ) -> None:
        """Hold the limits."""
        self.text = text
        self.spool_bytes = spool_bytes
        self.queue_seconds = queue_seconds
        self.fsync = fsync


class Queue:
    """Where the stream is: a unix ``socket``, or ``host`` and ``port``; a password where it wants one."""

    __slots__ = ("host", "password", "port", "socket", "tls", "user")

    def __init__(
        self,
        socket: str | None = None,
        host: str | None = None,
        port: int = 6379,
        user: str | None = None,
        password: str | None = None,
        tls: bool = False,
    ) -> None:
        """Hold the address."""
        self.socket = socket
        self.host = host
        self.port = port
        self.user = user
        self.password = password
        self.tls = tls

    @property
    def local(self) -> bool:
        """Whether a hook may append itself: a socket or a loopback address, without TLS."""
        if self.tls:
            return False
        return self.socket is not None or (self.host or "") in (*LOOPBACK, "localhost")


class Asked:
    """Whom a prompt is asked about: the files (absolute) that hold the local server's address and a token for it."""

    __slots__ = ("server", "token")

    def __init__(self, server: str, token: str) -> None:
        """Hold both paths."""
        self.server = server
        self.token = token


class HookConfig:
    """The client, the queue (None: spool only), the spool directory, the policy and the limits.

    ``brief`` is the directory of what sessions start with, None where nothing is injected; ``ask`` where prompts
    are asked about, None where they are not.
    """

    __slots__ = ("ask", "brief", "client", "limits", "policy", "queue", "spool")

    def __init__(
        self,
        client: str,
        spool: str,
        queue: Queue | None = None,
        policy: Policy | None = None,
        limits: Limits | None = None,
        brief: str | None = None,
        ask: Asked | None = None,
    ) -> None:
        """Hold the parts; ``spool`` and ``brief`` are absolute directories."""
        self.client = client
        self.spool = spool
        self.queue = queue
        self.policy = policy or Policy()
        self.limits = limits or Limits()
        self.brief = brief
        self.ask = ask


def read(home: str) -> HookConfig:
    """Return the configuration in ``home``.

    Where there is none, the default one: client ``local``, everything to ``home/spool``. BadHookConfig where
    the file is there but broken.
    """
    path = f"{home}/{NAME}"
    try:
        raw = read_regular(path, MOST_BYTES)
    except FileNotFoundError:
        return HookConfig("local", f"{home}/spool")
    except OSError as error:
        raise BadHookConfig(path=path, why=error.strerror or str(error)) from None
    try:
        value = parse(raw.decode("utf-8"))
    except ValueError as error:
        raise BadHookConfig(path=path, why=f"it is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise BadHookConfig(path=path, why="it is not a JSON object")
    return _config(path, home, value)


def _config(path: str, home: str, value: dict[str, object]) -> HookConfig:
    top = _Table(path, "", value)
    limits, policy = top.table("limits"), top.table("policy")
    usual = Limits()
    return HookConfig(
        top.text("client") or "local",
        top.place("spool") or f"{home}/spool",
        _queue(top.table("queue")),
        Policy(*(policy.texts(key) for key in ("paths", "tools", "projects", "subagents"))),
        Limits(
            text=int(limits.number("text", usual.text, MOST_TEXT)),
            spool_bytes=int(limits.number("spool_bytes", usual.spool_bytes, MOST_SPOOL)),
            queue_seconds=limits.number("queue_seconds", usual.queue_seconds, MOST_SECONDS),
            fsync=limits.value.get("fsync") is True,
        ),
        top.place("brief"),
        _ask(top.table("ask")),
    )


def _ask(table: _Table) -> Asked | None:
    server, token = table.place("server"), table.place("token")
    return Asked(server, token) if server and token else None


def _queue(table: _Table) -> Queue | None:
    socket, host = table.place("socket"), table.text("host")
    if not socket and not host:
        return None
    return Queue(
        socket=socket,
        host=host,
        port=int(table.number("port", 6379, MOST_PORT)),
        user=table.text("user"),
        password=table.text("password"),
        tls=table.value.get("tls") is True,
    )


class _Table:
    """An object of the file, read key by key; unknown keys are left alone."""

    __slots__ = ("name", "path", "value")

    def __init__(self, path: str, name: str, value: dict[str, object]) -> None:
        self.path = path
        self.name = name
        self.value = value

    def _wrong(self, key: str, wanted: str) -> BadHookConfig:
        return BadHookConfig(path=self.path, why=f"{self.name}{key} is not {wanted}")

    def table(self, key: str) -> _Table:
        found = self.value.get(key)
        if found is not None and not isinstance(found, dict):
            raise self._wrong(key, "an object")
        return _Table(self.path, f"{key}.", found or {})

    def text(self, key: str) -> str | None:
        found = self.value.get(key)
        if found is not None and not _sound(found):
            raise self._wrong(key, "a string of characters")
        return found if isinstance(found, str) else None

    def place(self, key: str) -> str | None:
        found = self.text(key)
        if found and not absolute(slashes(found)):
            raise self._wrong(key, "an absolute path")
        return found

    def number(self, key: str, usual: float, most: float) -> float:
        found = self.value.get(key, usual)
        # written so that a NaN is refused too
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0 <= found <= most:
            raise self._wrong(key, f"a number of 0 or more, at most {most}")
        return found

    def texts(self, key: str) -> list[str]:
        found = self.value.get(key) or []
        if not isinstance(found, list) or not all(_sound(one) for one in found):
            raise self._wrong(key, "a list of strings")
        return found


def _sound(value: object) -> bool:
    """Whether ``value`` is a string that can be a name: no NUL, no half of a character."""
    try:
        return isinstance(value, str) and "\0" not in value and bool(value.encode() or True)
    except UnicodeEncodeError:
        return False


def write(home: str | os.PathLike[str], config: HookConfig) -> None:
    """Write ``config`` to ``home`` at once (mode 0600), so that a hook never reads half of it."""
    queue = config.queue
    value: dict[str, object] = {
        "client": config.client,
        "queue": None if queue is None else {key: getattr(queue, key) for key in Queue.__slots__},
        "spool": config.spool,
        "brief": config.brief,
        "ask": None if config.ask is None else {key: getattr(config.ask, key) for key in Asked.__slots__},
        "policy": {key: getattr(config.policy, key) for key in Policy.__slots__},
        "limits": {key: getattr(config.limits, key) for key in Limits.__slots__},
    }
    path = os.path.join(home, NAME)
    draft = f"{path}.{os.getpid()}"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(encode(value) + b"\n")
    os.replace(draft, path)
