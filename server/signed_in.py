"""No operation answers without a token: the one gate before every route and before MCP."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import cast

from anyio import CapacityLimiter, to_thread
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from schema.errors import LimbeckError
from server.errors import NotSignedIn, ServerError, Unavailable
from server.principal import Principal
from server.rest.answers import refused
from server.tokens.verify import Verifier

KEY = "limbeck.principal"
log = logging.getLogger("limbeck.server")


class SignedIn:
    """Lets through whoever sends a token that holds, and puts the principal beside the request."""

    def __init__(
        self, app: ASGIApp, verifier: Verifier, threads: CapacityLimiter, gated: Callable[[str], bool]
    ) -> None:
        """``gated`` says of a path whether it needs a token; the others have a gate of their own, or need none."""
        self._app, self._verifier, self._threads, self._gated = app, verifier, threads, gated

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 or pass on."""
        if scope["type"] != "http" or not self._gated(scope["path"]):
            await self._app(scope, receive, send)
            return
        try:
            header = Headers(scope=scope).get("authorization", "")
            scope[KEY] = await self._principal(header, address_of(scope))
        except ServerError as error:
            await refused(error)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _principal(self, header: str, address: str | None) -> Principal:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise NotSignedIn
        try:
            return await to_thread.run_sync(self._verifier.principal, token, address, limiter=self._threads)
        except ServerError:
            raise
        except LimbeckError as error:
            log.warning("a token could not be looked up: %s", error)
            raise Unavailable from error


def address_of(scope: Scope) -> str | None:
    """Return where the request comes from: what a proxy says counts only of one that the server was told to believe."""
    client = scope.get("client")
    return None if client is None else str(client[0])


def principal_of(scope: Scope) -> Principal:
    """Return who the request's token speaks for. Raises NotSignedIn where the gate let none through."""
    found = scope.get(KEY)
    if found is None:
        raise NotSignedIn
    return cast("Principal", found)
