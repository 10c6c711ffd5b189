"""An error as every rendering shows it: one object, the same keys and words everywhere."""

from __future__ import annotations

from typing import Any

from server.errors import BadInput, Missing, NotSignedIn, ServerError
from server.operation import Operation


def body_of(error: ServerError, operation: Operation[Any, Any] | None = None) -> dict[str, Any]:
    """Return ``error`` as JSON shows it.

    A 404 of an operation that names its own code says nothing else: what is missing, malformed or somebody else's
    must look the same.
    """
    if isinstance(error, BadInput):
        return {"error": error.code, "details": error.details}
    if isinstance(error, NotSignedIn):
        return {"error": error.code}
    if isinstance(error, Missing) and operation is not None and operation.missing != Missing.code:
        return {"error": operation.missing}
    return {"error": error.code, "message": str(error)}
