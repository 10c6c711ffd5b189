"""What an operation may refuse with. The docstring is the sentence; ``server.rest`` alone knows the HTTP codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from schema.errors import LimbeckError


class ServerError(LimbeckError):
    """The server refused this."""

    code: ClassVar[str] = "refused"


class BadInput(ServerError):
    """{what} cannot be used: {why}."""

    code = "invalid_request"
    usage = True

    @property
    def details(self) -> list[dict[str, str]]:
        """What is wrong, one entry each: ``message``, and the ``path`` of the value in the input where it has one."""
        return [{"message": str(self.fields.get("why", self)), "path": str(self.fields.get("what", ""))}]


class InvalidInput(BadInput):
    """The request is not valid. {told}"""

    def __init__(self, details: Sequence[tuple[str, str]]) -> None:
        """``details`` are paths and what is wrong there; the path of the whole is empty."""
        self._details = list(details)
        super().__init__(told="; ".join(f"{path}: {why}" if path else why for path, why in details))

    @property
    def details(self) -> list[dict[str, str]]:
        """What is wrong, one entry each."""
        return [{"message": why} | ({"path": path} if path else {}) for path, why in self._details]


class NotNow(BadInput):
    """{what} cannot be used: {why}."""

    usage = False


class RefusedInput(InvalidInput):
    """The request is not valid. {told}"""

    usage = False


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


class TooManyFailed(TooMany):
    """Too many sign-ins failed from this address. Try again in {seconds} s."""


class TooLarge(ServerError):
    """The request is larger than the {limit} bytes that are taken here."""

    code = "too_large"


class NotJson(ServerError):
    """The body must be JSON: send it with `Content-Type: application/json`."""

    code = "unsupported_media_type"


class Unavailable(ServerError):
    """The memory cannot be reached at the moment. Try again; `limbeck status` tells more."""

    permanent = False
    code = "unavailable"


class ModelAway(ServerError):
    """The model cannot be asked at the moment: {why}"""

    permanent = False
    code = "unavailable"


class MemoryOff(ServerError):
    """Memory is switched off on this device. `limbeck memory on` switches it on again."""

    code = "memory_off"


class Broken(ServerError):
    """Something went wrong that is not your doing; the server's log has it under {reference}."""

    code = "internal_error"
