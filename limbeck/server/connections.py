"""Requests to one server with one token. Standard library alone: an agent's process and the shipper both use it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

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
        self._free: list[Any] = []

    def post(self, body: bytes, headers: Mapping[str, str] | None = None) -> tuple[int, bytes]:
        """Send one request; return the answer's status and body. Raises Unreachable."""
        from http.client import HTTPConnection, HTTPException, HTTPSConnection

        kind = HTTPSConnection if self._tls else HTTPConnection
        for _ in range(2):  # a connection that was kept may have been closed meanwhile
            kept = bool(self._free)
            connection = self._free.pop() if kept else kind(self._host, self._port, timeout=SECONDS)
            try:
                connection.request("POST", self._path, body, self._headers | dict(headers or {}))
                answer = connection.getresponse()
                status, data = answer.status, answer.read()
            except (OSError, HTTPException) as error:
                connection.close()
                if kept and isinstance(error, ConnectionError | HTTPException):
                    continue
                why = getattr(error, "strerror", None) or str(error) or type(error).__name__
                raise Unreachable(f"No server answers at {self._url} ({why}): run `limbeck up`.") from error
            self._free.append(connection)
            return status, data
        raise Unreachable(f"The server at {self._url} closed the connection twice: see `limbeck status`.")

    def close(self) -> None:
        """Close what is open."""
        while self._free:
            self._free.pop().close()
