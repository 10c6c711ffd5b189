"""Signing in by a token or a one-time link, signing out, and how pages look to this browser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from schema.errors import LimbeckError
from server.errors import NotAllowed, NotSignedIn, ServerError, Unavailable
from server.rest.answers import refused as refused_json
from server.rest.answers import retry, status_of
from server.signed_in import address_of
from server.web import policy
from server.web.addresses import inside, to
from server.web.done import SAYINGS
from server.web.drawing import drawn
from server.web.endpoint import Fields, Site, formed, with_visit, without_visit
from server.web.look import THEMES, Look
from server.web.visits.door import LASTS
from server.web.visits.visit import Secret

WRONG_TOKEN = "That token is not valid here: it may be mistyped, revoked or past its end."  # noqa: S105 - a sentence
USED_UP = "That link was used already, or is older than two minutes. `limbeck open` makes a new one."
ENDED = "Your visit has ended. Sign in again to go on where you were."
SUDDEN = {"prefetch", "prerender"}


def routes(site: Site) -> list[Route]:
    """The door's routes; all but signing out are for whoever comes."""
    return [
        Route("/signin", page, methods=["GET"]),
        Route("/signin", _token(site), methods=["POST"]),
        Route("/signin/link", _followed(site), methods=["GET"]),
        Route("/signin/link", _confirmed(site), methods=["POST"]),
        Route("/signin/links", _made(site), methods=["POST"]),
        site.post("/signout", _out(site)),
        site.post("/theme", theme),
    ]


async def page(request: Request) -> Response:
    """The sign-in page."""
    query = request.query_params
    ended, left = query.get("why") == "ended", query.get("done") == "out"
    problem = ENDED if ended else SAYINGS["out"] if left else ""
    return _page(request, problem, 200, after=query.get("next"), calm=left)


def _token(site: Site) -> Callable[[Request], Awaitable[Response]]:
    async def signin(request: Request, fields: Fields) -> Response:
        token, after = fields.get("token", [""])[-1].strip(), fields.get("next", [""])[-1]
        return await _enter(site, request, lambda at: site.door.by_token(token, at), after, WRONG_TOKEN)

    return formed(signin)


def _followed(site: Site) -> Callable[[Request], Awaitable[Response]]:
    """A link that a person followed signs in; one that a page led to, or a browser fetched early, asks first."""

    async def followed(request: Request) -> Response:
        key, after = request.query_params.get("key", ""), request.query_params.get("next")
        headers = request.headers
        sudden = SUDDEN & set(headers.get("sec-purpose", "").replace(";", " ").split())
        if sudden or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return _page(request, "", 200, after=after, key=key)
        return await _enter(site, request, lambda at: site.door.by_link(key, at), after, USED_UP)

    return followed


def _confirmed(site: Site) -> Callable[[Request], Awaitable[Response]]:
    async def confirmed(request: Request, fields: Fields) -> Response:
        key, after = fields.get("key", [""])[-1], fields.get("next", [""])[-1]
        return await _enter(site, request, lambda at: site.door.by_link(key, at), after, USED_UP)

    return formed(confirmed)


def _made(site: Site) -> Callable[[Request], Awaitable[Response]]:
    """A one-time link for whoever sends a token; ``limbeck open`` asks for it."""

    async def made(request: Request) -> Response:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        try:
            if scheme.lower() != "bearer":
                raise NotSignedIn
            secret = await to_thread.run_sync(
                lambda: site.door.link(site.door.principal(token.strip(), address_of(request.scope))),
                limiter=site.threads,
            )
        except ServerError as error:
            return refused_json(error)
        return JSONResponse(
            {"path": to("/signin/link", key=secret.text)}, 201, headers=policy.HEADERS | policy.PRIVATE
        )

    return made


async def _enter(
    site: Site, request: Request, begin: Callable[[str | None], Secret], after: str | None, problem: str
) -> Response:
    try:
        visit = await to_thread.run_sync(begin, address_of(request.scope), limiter=site.threads)
    except NotSignedIn:
        return _page(request, problem, 401, after=after)
    except LimbeckError as error:
        told = error if isinstance(error, ServerError) else Unavailable()
        page = _page(request, str(told), status_of(told), after=after)
        page.headers.update(retry(told))
        return page
    answer = RedirectResponse(inside(after), 303, headers=policy.HEADERS | policy.PRIVATE)
    return with_visit(answer, request, visit, int(LASTS.total_seconds()))


def _page(
    request: Request, problem: str, status: int, *, after: str | None = "", key: str = "", calm: bool = False
) -> Response:
    theme = request.cookies.get("theme")
    html = drawn(
        "signin.html",
        title="Sign in to Limbeck",
        theme=theme if theme in THEMES else None,
        problem=problem,
        calm=calm,
        key=key,
        next=inside(after, ""),
    )
    return HTMLResponse(html, status, headers=policy.HEADERS | policy.PRIVATE)


def _out(site: Site) -> Callable[[Look], Response]:
    def out(look: Look) -> Response:
        """End this visit."""
        site.door.out(look.visit)
        return without_visit(look.back("/signin", "out"), look.request)

    return out


def theme(look: Look) -> Response:
    """Light, dark, or as the device has it."""
    wanted = look.form.get("theme", "")
    if wanted not in THEMES | {"device"}:
        raise NotAllowed(why="a theme is light, dark or device")
    answer = look.back("/settings", "saved")
    if wanted == "device":
        answer.delete_cookie("theme", path="/", samesite="strict")
    else:
        answer.set_cookie("theme", wanted, max_age=31_536_000, path="/", httponly=True, samesite="strict")
    return answer
