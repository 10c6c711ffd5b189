"""What an operation may refuse with. The docstring is the sentence; ``server.rest`` alone knows the HTTP codes."""

from __future__ import annotations

from typing import ClassVar

from schema.errors import LimbeckError


class ServerError(LimbeckError):
    """The server refused this."""

    code: ClassVar[str] = "refused"


class BadInput(ServerError):
    """{what} cannot be used: {why}."""

    code = "invalid_request"


class NotSignedIn(ServerError):
    """Nobody is signed in: send a token as `Authorization: Bearer TOKEN`. `limbeck token create` makes one."""

    code = "unauthorized"


class NotAllowed(ServerError):
    """Your token may not do this: {why}."""

    code = "forbidden"


class Missing(ServerError):
    """There is no {what} {name}."""

    code = "not_found"


class Stale(ServerError):
    """Somebody changed it first: {why}."""

    code = "conflict"


class TooMany(ServerError):
    """Too many requests with this token. Try again in {seconds} s."""

    permanent = False
    code = "rate_limited"
