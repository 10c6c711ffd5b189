"""The server as one ASGI application: the guard, the gate, the operations' routes, MCP and the viewer."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

import anyio
from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route

from schema.database import Database
from server.background import Background
from server.guard import Guard
from server.intake import Intake
from server.limit import FailureLimit, RateLimit
from server.mcp.late import NAME as MCP_NAME
from server.mcp.late import Late
from server.operations import ALL
from server.options import Joined, Options
from server.perform import Performer
from server.renderings import RENDERINGS
from server.rest.answers import Json
from server.rest.openapi import document
from server.rest.routes import V1, routes
from server.signed_in import SignedIn
from server.tokens.verify import Verifier
from server.web.app import viewer

if TYPE_CHECKING:
    from recall.embedding.embedder import Embedder
    from server.mcp.endpoint import Endpoint

ALIVE = "/healthz"
MCP = "/mcp"
OPENAPI = "/openapi.json"
REST_AFTER = 60.0  # seconds without a request


def create_app(options: Options, embedder: Callable[[], Embedder | None] = lambda: None) -> Starlette:
    """Make the application; the database is connected at the first request. ``embedder`` is asked when needed."""
    database = Database(options.database_url, pool_size=options.threads, overflow=options.threads + 2)
    own: dict[str, object] = {}
    if options.redis_url is not None:
        own = {"queue_url": options.redis_url, "intake": Intake(options.redis_url, options.high_water)}
    values = Joined(own, options.values)
    performer = Performer(database, embedder, values, limit=RateLimit(options.a_minute))
    performer.after["forget_for_good"] = lambda principal, _: RENDERINGS.drop(principal.client)
    threads = CapacityLimiter(options.threads)
    verifier = Verifier(database, performer.clock, FailureLimit(options.failed_a_minute))
    background = Background()
    pages = viewer(performer, verifier, threads)

    def endpoint() -> Endpoint:
        from server.mcp.endpoint import Endpoint

        return Endpoint(ALL, performer, threads, options)

    mcp = Late(endpoint, background)
    described = document(ALL, options.version)

    async def openapi(_: Request) -> Response:
        return Json(described)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            # The group waits for the thread that is at the database, so that nothing is closed under it.
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(background.keep, MCP_NAME, mcp.run)
                tasks.start_soon(background.keep, "deletions", pages.deletions.run)
                tasks.start_soon(background.keep, "connections", functools.partial(_resting, database))
                yield
                tasks.cancel_scope.cancel()
        finally:
            database.close()

    async def alive(_: Request) -> Response:
        trouble = background.trouble
        return PlainTextResponse(trouble or "ok", 503 if trouble else 200)

    return Starlette(
        routes=[
            Route(ALIVE, alive, methods=["GET"]),
            Route(OPENAPI, openapi, methods=["GET"]),
            Route(MCP, mcp),
            # Of its own, so that what is not there is not looked for among the pages.
            Mount(V1, routes=routes(ALL, performer, threads)),
            pages.mount,
        ],
        middleware=[
            Middleware(
                Guard,
                hosts=options.hosts,
                limits={"/v1/capture": options.capture_bytes},
                limit=options.body_bytes,
            ),
            Middleware(SignedIn, verifier=verifier, threads=threads, gated=_gated),
        ],
        exception_handlers={HTTPException: _no_such_route},
        lifespan=lifespan,
    )


async def _resting(database: Database) -> None:
    """Give back what nobody asked for lately: connections of the database, renderings."""
    while True:
        await anyio.sleep(REST_AFTER)
        await anyio.to_thread.run_sync(database.rest)
        RENDERINGS.sweep()


def _gated(path: str) -> bool:
    """Whether a path is for programs, who send a token with each request; people have the viewer's door."""
    return path.startswith(f"{V1}/") or path in (MCP, OPENAPI)


async def _no_such_route(_: Request, error: Exception) -> Response:
    """Starlette's own refusals, as JSON."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = error.headers if isinstance(error, HTTPException) else None
    code = {404: "not_found", 405: "method_not_allowed"}.get(status, "refused")
    return Json({"error": code}, status, dict(headers or {}))
