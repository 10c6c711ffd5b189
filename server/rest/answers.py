"""Errors as HTTP answers. The only place that knows the codes."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError
from starlette.responses import Response

from server.body import body_of
from server.errors import ServerError, TooMany
from server.operation import Operation

STATUS = {
    "invalid_request": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "memory_off": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "conflict": 409,
    "too_large": 413,
    "unsupported_media_type": 415,
    "wrong_host": 421,
    "rate_limited": 429,
    "internal_error": 500,
    "unavailable": 503,
}
RETRY_AFTER = 5  # seconds, where nothing better is known


class Json(Response):
    """A JSON body; text that cannot be encoded (half a surrogate pair) comes out as a question mark."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the body's bytes; ``content`` is what JSON can hold, or an operation's result."""
        if isinstance(content, BaseModel):
            try:
                return content.model_dump_json(by_alias=True).encode()
            except (PydanticSerializationError, UnicodeEncodeError):
                content = content.model_dump(mode="json", by_alias=True)
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def refused(error: ServerError, operation: Operation[Any, Any] | None = None) -> Response:
    """Return ``error`` with its code, and what helps a client to do better."""
    headers = retry(error)
    if error.code == "unauthorized":
        headers["WWW-Authenticate"] = "Bearer"
    return Json(body_of(error, operation), status_of(error), headers)


def retry(error: ServerError) -> dict[str, str]:
    """When it is worth asking again, as a header; empty where it never is."""
    if isinstance(error, TooMany):
        return {"Retry-After": str(error.fields.get("seconds", RETRY_AFTER))}
    return {} if error.permanent else {"Retry-After": str(RETRY_AFTER)}


def status_of(error: ServerError) -> int:
    """The HTTP code of ``error``."""
    return STATUS.get(error.code, 400)
