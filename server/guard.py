"""What every request passes first: the host it names, the page it comes from, the size of its body.

A page in a browser can make requests to a server on this machine, also under a name of its own that leads here. So the
host must be one of ours, and a request that says which page made it must come from one of ours: what else listens
on this machine, at another port, is not. No page of another origin is told that it may read an answer (CORS stays
closed).
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.errors import ServerError, TooLarge
from server.options import LOOPBACK
from server.rest.answers import refused

PORTS = {"http": 80, "https": 443}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class WrongHost(ServerError):
    """This server does not answer to that host name. Add it to LIMBECK_SERVER_HOSTS if it is yours."""

    code = "wrong_host"


class WrongOrigin(ServerError):
    """A page of another origin may not ask this server."""

    code = "forbidden"


class Guard:
    """Checks a request's host, origin and size, and adds the headers that browsers go by."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str], limits: dict[str, int], limit: int) -> None:
        """``hosts`` beside the loopback names; ``limits`` are bytes of a body by path, ``limit`` of all others."""
        self._app, self._limits, self._limit = app, limits, limit
        self._hosts = frozenset(host.lower() for host in (*LOOPBACK, *hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, limit = Headers(scope=scope), self._limits.get(scope["path"], self._limit)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
            await send(message)

        taken = 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > limit:
                raise TooLarge(limit=limit)
            return message

        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await with_headers(message)

        try:
            self._check(headers, limit)
            await self._app(scope, bounded, watched)
        except ServerError as error:
            if started:
                raise
            await refused(error)(scope, receive, with_headers)

    def _check(self, headers: Headers, limit: int) -> None:
        if host_of(headers.get("host", "")) not in self._hosts:
            raise WrongHost
        origin = headers.get("origin")
        if origin is not None and not self._ours(origin, headers.get("host", "")):
            raise WrongOrigin
        declared = headers.get("content-length", "0")
        if _digits(declared) and int(declared[:18]) > limit:
            raise TooLarge(limit=limit)

    def _ours(self, origin: str, address: str) -> bool:
        """Whether a page of ``origin`` may ask at ``address``: on this machine, only from the port that is asked."""
        try:
            page = urlsplit(origin)
            port, usual = page.port, PORTS[page.scheme]
        except (ValueError, KeyError):
            return False
        host = host_of(page.netloc)
        if host in LOOPBACK:
            return (port or usual) == (port_of(address) or usual)
        return host in self._hosts


def port_of(address: str) -> int | None:
    """Return the port in ``HOST:PORT``, None where it names none."""
    port = address[len(host_of(address)) + 1 :]
    return int(port[:6]) if port else None


def _digits(text: str) -> bool:
    """Whether ``int`` takes it; ``isdigit`` alone also holds for raised digits, which it refuses."""
    return text.isascii() and text.isdigit()


def host_of(address: str) -> str:
    """Return the host in ``HOST`` or ``HOST:PORT``, in lower case; of an IPv6 address with its brackets."""
    host, colon, port = address.rpartition(":")
    return (host if colon and _digits(port) else address).lower()
