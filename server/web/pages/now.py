"""Now: what arrives, as it arrives, and how the memory does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from schema.errors import LimbeckError
from server.operations.views import Arrived
from server.web import policy
from server.web.addresses import to
from server.web.drawing import drawn
from server.web.endpoint import Site, cookie_of
from server.web.feed import Feed, Wanted
from server.web.look import Look
from server.web.shown import called

SHOWN = 60
FILTERED = 600
FILTERS = ("project", "session", "agent", "tool", "outcome")


def routes(site: Site, feed: Feed) -> list[Route]:
    """The page and its feed."""
    return [site.get("/now", page), Route("/now/feed", _feed(site, feed), methods=["GET"])]


def page(look: Look) -> Response:
    """The latest arrivals, newest first, and the strip."""
    wanted = _wanted(look.query)
    filtered = any((wanted.session, wanted.agent, wanted.tool, wanted.outcome))
    told = look.ask("viewer_tail", project=look.project, looked=FILTERED if filtered else 2 * SHOWN)
    rows = list({row.id: row for row in told.arrived if wanted.takes(row)}.values())[::-1][:SHOWN]
    return look.page(
        "now.html",
        "Now",
        rows=rows,
        strip=strip(look),
        filtered=filtered,
        sessions=_sessions(told.arrived, wanted.session),
        agents=_choices((row.agent for row in told.arrived), wanted.agent),
        tools=_choices((row.who for row in told.arrived if row.kind == "call"), wanted.tool),
        feed=to("/now/feed", {key: look.query.get(key) for key in FILTERS}, since=told.end),
    )


def strip(look: Look) -> str:
    """The health strip as HTML; of one who sees only some projects it is empty, for it is of all of them."""
    if look.principal.projects is not None:
        return drawn("strip.html", state=None)
    return drawn("strip.html", state=look.ask("status"))


def _choices(found: Any, chosen: str) -> list[str]:
    return sorted({one for one in found if one} | ({chosen} if chosen else set()))


def _sessions(arrived: Sequence[Arrived], chosen: str) -> dict[str, str]:
    """The sessions among what arrived by their ids, the latest first, each as its rows name it."""
    named = {row.session: called(row) for row in reversed(arrived) if row.session}
    return named if not chosen or chosen in named else named | {chosen: chosen[:8]}


def _wanted(query: dict[str, str]) -> Wanted:
    return Wanted(
        query.get("project"),
        query.get("agent", ""),
        query.get("tool", ""),
        query.get("outcome", ""),
        query.get("session", ""),
    )


def _feed(site: Site, feed: Feed) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        cookie = cookie_of(request)
        try:
            found = await to_thread.run_sync(site.door.who, cookie, limiter=site.threads)
        except LimbeckError:
            return Response(status_code=503, headers=policy.HEADERS | policy.PRIVATE)
        if found is None:
            return Response(status_code=401, headers=policy.HEADERS | policy.PRIVATE)
        look = Look(request, site.performer, *found)
        events = feed.watch(
            look.principal,
            _wanted(look.query),
            lambda: site.door.who(cookie) is not None,
            lambda: strip(look),
            request.headers.get("last-event-id") or look.query.get("since", ""),
        )
        return StreamingResponse(
            events,
            media_type="text/event-stream",
            headers=policy.HEADERS | policy.PRIVATE | {"X-Accel-Buffering": "no"},
        )

    return endpoint
