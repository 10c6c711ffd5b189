"""Forget for good: what would go is counted and shown, then removed, and what went is told."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from server.errors import BadInput
from server.web.endpoint import Site
from server.web.look import Look

KINDS = ("text", "memory", "fact", "session", "project")


def routes(site: Site) -> list[Route]:
    """The page; words to forget are sent in a form, so that no address holds them."""
    return [site.get("/forget", page), site.post("/forget", forget)]


def page(look: Look) -> Response:
    """What to forget."""
    look.need("forget_for_good")
    return look.page("forget.html", "Forget for good", told=None, kind="", value="")


def forget(look: Look) -> Response:
    """Count; with what the count answered, remove."""
    look.need("forget_for_good")
    kind, value = look.form.get("kind", ""), look.form.get("value", "").strip()
    if kind not in KINDS or not value:
        raise BadInput(
            what="what to forget", why="give a text, or the id of a memory, a fact, a session or a project"
        )
    told = look.ask("forget_for_good", **{kind: value}, confirm=look.form.get("confirm"))
    return look.page("forget.html", "Forget for good", told=told, kind=kind, value=value)
