"""From a request to a page: who is it, was the form made by us, and what to show where it goes wrong."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import parse_qs
from uuid import uuid4

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from schema.errors import LimbeckError
from schema.failures import places
from server.errors import BadInput, Broken, NotAllowed, NotSignedIn, ServerError, Unavailable
from server.perform import Performer
from server.rest.answers import retry, status_of
from server.web import policy
from server.web.addresses import to
from server.web.drawing import drawn
from server.web.look import Look
from server.web.visits.door import Door
from server.web.visits.visit import Secret, parse

Handler = Callable[[Look], Response]
Fields = dict[str, list[str]]
FORM, FIELDS = "application/x-www-form-urlencoded", 5_000
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
        async def answered(request: Request, fields: Fields) -> Response:
            return await to_thread.run_sync(
                self._answer, request, handler, fields, sent, limiter=self.threads
            )

        async def page(request: Request) -> Response:
            return await answered(request, {})

        return formed(answered) if sent else page

    def _answer(self, request: Request, handler: Handler, fields: Fields, sent: bool) -> Response:
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


def formed(
    answer: Callable[[Request, Fields], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """What answers a request with a form; one that cannot be read is refused before."""

    async def endpoint(request: Request) -> Response:
        try:
            fields = await form_of(request)
        except BadInput as error:
            return refused(error)
        return await answer(request, fields)

    return endpoint


async def form_of(request: Request) -> Fields:
    """The fields of a form, as a browser sends them without files. Raises BadInput for anything else."""
    body = (await request.body()).decode("utf-8", "replace")
    kind = request.headers.get("content-type", FORM).partition(";")[0].strip().lower()
    why = "it is not encoded as these pages' forms are"
    if kind == FORM:
        try:
            return parse_qs(body, keep_blank_values=True, max_num_fields=FIELDS)
        except ValueError:
            why = f"it has more than {FIELDS:,} fields"
    log.warning("a form for %r is refused: %s", request.url.path[:80], why)
    raise BadInput(what="that form", why=why)


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
    title = "That did not work" if isinstance(error, BadInput) else "Limbeck does not answer"
    html = drawn("outside.html", error=error, theme=None, title=title)
    return HTMLResponse(html, status_of(error), headers=policy.HEADERS | policy.PRIVATE | retry(error))


def _told(look: Look, error: ServerError) -> Response:
    status = status_of(error)
    try:
        page = look.page("error.html", "That did not work", status=status, error=error, code=error.code)
        page.headers.update(retry(error))
        return page
    except ServerError:
        return refused(error)
