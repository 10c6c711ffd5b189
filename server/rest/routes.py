"""A route for each operation."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.errors import ServerError
from server.operation import Operation
from server.perform import Performer
from server.rest.answers import Json, refused
from server.rest.given import given
from server.signed_in import principal_of

VIA = "rest"


def routes(
    operations: Sequence[Operation[Any, Any]], performer: Performer, threads: CapacityLimiter
) -> list[Route]:
    """Return one route an operation; those without a value in their path come before the others."""
    ordered = sorted(operations, key=lambda operation: "{" in operation.path)
    return [
        Route(
            operation.path,
            functools.partial(_answer, operation=operation, performer=performer, threads=threads),
            methods=[operation.method],
            name=operation.operation_id,
        )
        for operation in ordered
    ]


async def _answer(
    request: Request, *, operation: Operation[Any, Any], performer: Performer, threads: CapacityLimiter
) -> Response:
    try:
        values = await given(request, operation)
        result = await to_thread.run_sync(
            performer.perform, principal_of(request.scope), operation, values, VIA, limiter=threads
        )
    except ServerError as error:
        return refused(error, operation)
    if operation.status == 204:
        return Response(status_code=204)
    return Json(result.model_dump(mode="json", by_alias=True), operation.status)
