"""The review queue: proposals that speak against a fact, side by side with it."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from server.web.endpoint import Site
from server.web.look import Look

PAGE = 30
STATES = ("open", "accepted", "rejected")


def routes(site: Site) -> list[Route]:
    """The queue and the decision."""
    return [site.get("/review", page), site.post("/review/{id}", decide)]


def page(look: Look) -> Response:
    """What waits, or was decided."""
    state = look.query.get("state", "open")
    state = state if state in STATES else "open"
    found = look.ask(
        "list_reviews", project=look.project, state=state, cursor=look.query.get("after"), limit=PAGE
    )
    return look.page("review.html", "Review", reviews=found.reviews, next=found.next_cursor, state=state)


def decide(look: Look) -> Response:
    """Let the proposal have its way, or the fact stand."""
    accepted = look.form.get("decision") == "accept"
    look.ask("accept_review" if accepted else "reject_review", id=str(look.request.path_params["id"]))
    return look.back("/review", "accepted" if accepted else "stands", project=look.form.get("project"))
