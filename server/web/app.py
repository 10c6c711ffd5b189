"""The viewer's routes, and what runs beside them while the server does."""

from __future__ import annotations

from dataclasses import dataclass

from anyio import CapacityLimiter
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from server.errors import Missing
from server.perform import Performer
from server.tokens.verify import Verifier
from server.web import policy
from server.web.deletions import HOLD, Deletions
from server.web.endpoint import Site
from server.web.feed import Feed
from server.web.look import Look
from server.web.pages import (
    backlog,
    code,
    documents,
    door,
    facts,
    forgetting,
    memories,
    now,
    recalled,
    review,
    sessions,
    settings,
    trace,
)
from server.web.static import static
from server.web.visits.door import Door


@dataclass(frozen=True)
class Viewer:
    """The pages as one mount, to stand after every other route; ``deletions`` has to run beside them."""

    mount: Mount
    deletions: Deletions


def viewer(performer: Performer, verifier: Verifier, threads: CapacityLimiter) -> Viewer:
    """Make the viewer over ``performer``'s operations."""
    site = Site(performer, Door(performer.database, verifier, performer.clock), threads)
    deletions, feed = Deletions(performer, threads), Feed(performer, threads)
    performer.after[HOLD] = deletions.held
    routes = [
        Route("/", _home, methods=["GET"]),
        Route("/static/{version}/{name}", static, methods=["GET"]),
        *door.routes(site),
        *now.routes(site, feed),
        *memories.routes(site),
    ]
    for subject in (sessions, facts, review, recalled, trace, backlog, documents, code, settings, forgetting):
        routes += subject.routes(site)
    routes.append(site.get("/{rest:path}", _nowhere))
    return Viewer(
        Mount("/", routes=routes, middleware=[Middleware(GZipMiddleware, minimum_size=800)]), deletions
    )


async def _home(_: Request) -> Response:
    return RedirectResponse("/now", 303, headers=policy.HEADERS | policy.PRIVATE)


def _nowhere(look: Look) -> Response:
    raise Missing(what="page at", name=look.request.url.path)
