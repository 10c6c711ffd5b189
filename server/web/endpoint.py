"""From a request to a page: who is it, was the form made by us, and what to show where it goes wrong."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs
from uuid import uuid4

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from schema.errors import LimbeckError
from schema.failures import places
from server.errors import Broken, NotAllowed, NotSignedIn, ServerError, Unavailable
from server.perform import Performer
from server.rest.answers import status_of
from server.web import policy
from server.web.addresses import to
from server.web.drawing import drawn
from server.web.look import Look
from server.web.visits.door import Door
from server.web.visits.visit import Secret, parse

Handler = Callable[[Look], Response]
COOKIE, HOST_COOKIE = "limbeck_visit", "__Host-limbeck_visit"
log = logging.getLogger("limbeck.web")


class NotOurForm(NotAllowed):
    """That form was not made by this visit (a page left open too long, or another site's). Look again and repeat it."""


@dataclass(frozen=True)
class Site:
    """What the pages stand on. ``threads`` bounds how many are drawn at once."""

    performer: Performer
    door: Door
    threads: CapacityLimiter

    def get(self, path: str, handler: Handler) -> Route:
        """A page."""
        return Route(path, self._endpoint(handler, sent=False), methods=["GET"])

    def post(self, path: str, handler: Handler) -> Route:
        """What a form is sent to."""
        return Route(path, self._endpoint(handler, sent=True), methods=["POST"])

    def _endpoint(self, handler: Handler, *, sent: bool) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            fields = await form_of(request) if sent else {}
            return await to_thread.run_sync(
                self._answer, request, handler, fields, sent, limiter=self.threads
            )

        return endpoint

    def _answer(
        self, request: Request, handler: Handler, fields: dict[str, list[str]], sent: bool
    ) -> Response:
        try:
            found = self.door.who(cookie_of(request))
        except LimbeckError as error:
            log.warning("a visit could not be looked up: %s", error)
            return refused(Unavailable())
        if found is None:
            return signed_out(request, sent)
        visit, principal = found
        form = {key: values[-1] for key, values in fields.items()}
        look = Look(request, self.performer, visit, principal, form, fields)
        try:
            if sent and not visit.made(form.get("mark", "")):
                raise NotOurForm(why="")
            return handler(look)
        except NotSignedIn:
            return signed_out(request, sent)
        except ServerError as error:
            return _told(look, error)
        except Exception as error:
            reference = uuid4().hex[:12]
            log.error("%s %s: %s", reference, request.url.path, places(error))
            return _told(look, Broken(reference=reference))


async def form_of(request: Request) -> dict[str, list[str]]:
    """The fields of a form, as a browser sends them without files."""
    body = (await request.body()).decode("utf-8", "replace")
    return parse_qs(body, keep_blank_values=True, max_num_fields=5_000)


def cookie_of(request: Request) -> str | None:
    """What the visit's cookie holds; over https only the one bound to this host counts."""
    return request.cookies.get(HOST_COOKIE if request.url.scheme == "https" else COOKIE)


def with_visit(response: Response, request: Request, visit: Secret, lasts: int) -> Response:
    """Let the browser keep the visit for ``lasts`` seconds."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        HOST_COOKIE if secure else COOKIE,
        visit.text,
        max_age=lasts,
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )
    return response


def without_visit(response: Response, request: Request) -> Response:
    """Let the browser drop the visit."""
    secure = request.url.scheme == "https"
    response.delete_cookie(
        HOST_COOKIE if secure else COOKIE, path="/", secure=secure, httponly=True, samesite="strict"
    )
    return response


def signed_out(request: Request, sent: bool) -> Response:
    """Send whoever is not signed in to the door, and back afterwards."""
    wanted = "" if sent or request.url.path == "/" else request.url.path
    if wanted and request.url.query:
        wanted += f"?{request.url.query}"
    ended = parse(cookie_of(request)) is not None
    return RedirectResponse(
        to("/signin", next=wanted, why="ended" if ended else None),
        303,
        headers=policy.HEADERS | policy.PRIVATE,
    )


def refused(error: ServerError) -> Response:
    """A refusal outside the frame: nobody is signed in, or the database does not answer."""
    html = drawn("outside.html", error=error, theme=None, title="Limbeck does not answer")
    return HTMLResponse(html, status_of(error), headers=policy.HEADERS | policy.PRIVATE)


def _told(look: Look, error: ServerError) -> Response:
    status = status_of(error)
    try:
        return look.page("error.html", "That did not work", status=status, error=error, code=error.code)
    except ServerError:
        return refused(error)
