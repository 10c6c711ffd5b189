"""Requests to one server with one token. Standard library alone: an agent's process and the shipper both use it."""

from __future__ import annotations

import re
import selectors
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from http.client import HTTPConnection

TYPE = "application/json"
SECONDS = 60.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Unreachable(Exception):
    """The server cannot be asked; the text says why and what to do."""


class Connections:
    """Connections that are kept open between requests. Safe to use from several threads."""

    def __init__(self, url: str, token: str, path: str) -> None:
        """Requests go to ``path`` below ``url``. Raises Unreachable for an address that no token may be sent to."""
        found = re.fullmatch(r"(https?)://(\[[^\]/]+\]|[^:/\[\]@]+)(?::(\d{1,5}))?(/[^?#]*)?", url)
        if found is None:
            raise Unreachable(f"{url} is no address of a server: write it like https://HOST:PORT.")
        scheme, host, port, below = found.groups()
        self._host = host.strip("[]")
        if scheme == "http" and self._host not in LOOPBACK:
            raise Unreachable(f"The token would travel in the clear to {self._host}: use https.")
        if not re.fullmatch(r"[!-~]+", token):
            raise Unreachable("The token holds characters that no token has: is it the right file?")
        self._tls, self._port = scheme == "https", int(port) if port else None
        self._url, self._path = url, (below or "").rstrip("/") + path
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": TYPE}
        self._headers["Accept"] = f"{TYPE}, text/event-stream"
        self._free: list[HTTPConnection] = []

    def post(
        self, body: bytes, headers: Mapping[str, str] | None = None, *, again: bool = False
    ) -> tuple[int, bytes]:
        """Send one request; return the answer's status and body. Raises Unreachable.

        A connection that was kept may have been closed meanwhile. What could not be sent over one is sent over a new
        one; what was sent and not answered only with ``again``: it does no harm if the server does it twice.
        """
        from http.client import HTTPException

        kept = self._kept()
        if kept is not None:
            try:
                return self._ask(kept, body, headers or {})
            except _Failed as failed:
                if not isinstance(failed.why, ConnectionError | HTTPException):
                    raise self._unreachable(failed.why) from failed.why
                if failed.sent and not again:
                    raise Unreachable(
                        f"The server at {self._url} ended the connection before it answered, so it may have done what "
                        "it was asked, or not: look before you ask again."
                    ) from failed.why
            self.close()  # what ended this one ended the others too
        try:
            return self._ask(self._new(), body, headers or {})
        except _Failed as failed:
            raise self._unreachable(failed.why) from failed.why

    def close(self) -> None:
        """Close what is open and not in use."""
        while (connection := self._next()) is not None:
            connection.close()

    def _ask(self, connection: HTTPConnection, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        from http.client import HTTPException

        sent = False
        try:
            connection.request("POST", self._path, body, self._headers | dict(headers))
            sent = True
            answer = connection.getresponse()
            status, data = answer.status, answer.read()
        except (OSError, HTTPException) as error:
            connection.close()
            raise _Failed(error, sent) from error
        self._free.append(connection)
        return status, data

    def _new(self) -> HTTPConnection:
        from http.client import HTTPConnection, HTTPSConnection

        kind = HTTPSConnection if self._tls else HTTPConnection
        return kind(self._host, self._port, timeout=SECONDS)

    def _kept(self) -> HTTPConnection | None:
        """A connection that was kept and that the server has not closed, as far as can be seen."""
        while (connection := self._next()) is not None:
            if _open(connection):
                return connection
            connection.close()
        return None

    def _next(self) -> HTTPConnection | None:
        try:
            return self._free.pop()
        except IndexError:  # another thread may take the last one between a look and this
            return None

    def _unreachable(self, error: Exception) -> Unreachable:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return Unreachable(f"No server answers at {self._url} ({why}): run `limbeck up`.")


class _Failed(Exception):
    """A request that came to nothing, whole on its way or not."""

    def __init__(self, why: Exception, sent: bool) -> None:
        super().__init__(why)
        self.why, self.sent = why, sent


def _open(connection: HTTPConnection) -> bool:
    """Whether nothing has come: a server says nothing between requests but that it has closed."""
    if connection.sock is None:
        return False
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(connection.sock, selectors.EVENT_READ)
            return not selector.select(0)
    except (OSError, ValueError):
        return False
