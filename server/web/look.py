"""One look at the viewer: who looks, what they ask, and the page that comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from server.errors import NotAllowed
from server.operation import Operation
from server.operations import ALL
from server.operations.views import Frame
from server.perform import Performer
from server.principal import Principal
from server.web import policy
from server.web.addresses import PLACES, to
from server.web.done import SAYINGS
from server.web.drawing import drawn
from server.web.visits.visit import Secret

VIA = "web"
OPERATIONS: dict[str, Operation[Any, Any]] = {operation.name: operation for operation in ALL}
THEMES = {"light", "dark"}


@dataclass(frozen=True)
class Look:
    """A request by somebody who is signed in. ``form`` holds what was sent, ``fields`` every value of each name."""

    request: Request
    performer: Performer
    visit: Secret
    principal: Principal
    form: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        """The time."""
        return self.performer.clock()

    @property
    def query(self) -> dict[str, str]:
        """The address's query, the last of each name, without what was just done."""
        return {
            key: value for key, value in self.request.query_params.items() if key != "done" and value.strip()
        }

    @property
    def project(self) -> str | None:
        """The project looked at, by the name in the address; None for all."""
        return self.query.get("project")

    @cached_property
    def frame(self) -> Frame:
        """What every page shows beside its own; asked for once a look. Raises ServerErrors."""
        return cast("Frame", self.ask("viewer_frame"))

    def ask(self, operation: str, /, **given: Any) -> Any:
        """Run an operation as whoever looks. Raises ServerErrors alone."""
        kept = {key: value for key, value in given.items() if value is not None}
        return self.performer.perform(self.principal, OPERATIONS[operation], kept, VIA)

    def may(self, operation: str) -> bool:
        """Whether whoever looks has the right to an operation; what they may not do is not shown."""
        return operation in OPERATIONS and self.principal.right.covers(OPERATIONS[operation].right)

    def need(self, operation: str) -> None:
        """Raise NotAllowed for whoever has not the right to an operation, before anything is looked at."""
        if not self.may(operation):
            raise NotAllowed(why=f"{operation} needs the right to {OPERATIONS[operation].right}")

    def page(self, template: str, title: str, *, status: int = 200, **values: Any) -> Response:
        """Draw a page inside the frame."""
        return self._answer(drawn(template, title=title, **self._frame(), **values), status)

    def part(self, template: str, **values: Any) -> Response:
        """Draw a piece of a page, for a script that asked for it."""
        return self._answer(drawn(template, look=self, now=self.now, query=self.query, **values), 200)

    def back(self, path: str, done: str, /, **query: object) -> Response:
        """Send the browser on after a form, so that a reload sends nothing again."""
        return RedirectResponse(to(path, query, done=done), 303, headers=policy.HEADERS | policy.PRIVATE)

    def _answer(self, html: str, status: int) -> Response:
        return HTMLResponse(html, status, headers=policy.HEADERS | policy.PRIVATE)

    def _frame(self) -> dict[str, Any]:
        frame = self.frame
        theme = self.request.cookies.get("theme")
        return {
            "look": self,
            "now": self.now,
            "query": self.query,
            "mark": self.visit.mark(),
            "places": PLACES,
            "here": self.request.url.path,
            "theme": theme if theme in THEMES else None,
            "said": SAYINGS.get(self.request.query_params.get("done", "")),
            "tallies": {"/review": frame.flags, "/backlog": frame.drafts},
            "projects": frame.projects,
            "projects_left_out": frame.projects_left_out,
            "names": {one.id: one.name for one in frame.projects},
            "held": frame.held,
        }
