"""A route for each operation."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
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
V1 = "/v1"


def routes(
    operations: Sequence[Operation[Any, Any]], performer: Performer, threads: CapacityLimiter
) -> list[Route]:
    """Return one route a path, as below ``V1``; those without a value in it come before the others."""
    paths: dict[str, dict[str, Operation[Any, Any]]] = {}
    for operation in sorted(operations, key=lambda one: "{" in one.path):
        paths.setdefault(operation.path.removeprefix(V1), {})[operation.method] = operation
    return [
        Route(
            path,
            functools.partial(_answer, methods=methods, performer=performer, threads=threads),
            methods=list(methods),
        )
        for path, methods in paths.items()
    ]


async def _answer(
    request: Request,
    *,
    methods: Mapping[str, Operation[Any, Any]],
    performer: Performer,
    threads: CapacityLimiter,
) -> Response:
    operation = methods["GET" if request.method == "HEAD" else request.method]

    def answer(values: Mapping[str, Any]) -> Response:
        # In the thread too: a large answer keeps no other request waiting while it is written out.
        result = performer.perform(principal_of(request.scope), operation, values, VIA)
        return Response(status_code=204) if operation.status == 204 else Json(result, operation.status)

    try:
        return await to_thread.run_sync(answer, await given(request, operation), limiter=threads)
    except ServerError as error:
        return refused(error, operation)
