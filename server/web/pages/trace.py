"""Trace: request, session, evidence, commit and what came of them, as a picture and as a list."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from server.web.addresses import to
from server.web.charts.graph import Column, Step, graph
from server.web.endpoint import Site
from server.web.look import Look
from server.web.shown import plain

RECENT = 20
HEADINGS = ("asked for by", "in session", "rests on", "commits", "came of it")
OWN_COLUMN = {"exchange": 0, "message": 0, "note": 0, "session": 1, "observation": 2, "code": 2, "commit": 3}
LAST = 4


def routes(site: Site) -> list[Route]:
    """The one page."""
    return [site.get("/trace", page)]


def page(look: Look) -> Response:
    """Where the id in the address came from and what it led to; without one, where to begin."""
    identifier = look.query.get("id", "").strip()
    if not identifier:
        recent = look.ask(
            "get_recent_history", project=look.project, cursor=look.query.get("after"), limit=RECENT
        )
        return look.page(
            "trace.html",
            "Trace",
            found=None,
            recent=recent.history,
            next=recent.next_cursor,
            columns=(),
            picture="",
        )
    found = look.ask("trace", id=identifier)
    columns = ranked(found)
    drawn = [
        Column(heading, tuple(_step(node, found.what.id) for node in nodes)) for heading, nodes in columns
    ]
    return look.page(
        "trace.html",
        "Trace",
        found=found,
        recent=(),
        columns=columns,
        picture=graph(drawn, found.what.id),
    )


def ranked(found: Any) -> list[tuple[str, list[Any]]]:
    """The trace's nodes under their headings, each once, the one looked at in its own column first."""
    parts = [
        found.prompts,
        found.sessions,
        [node for node in found.because if node.kind != "commit"],
        [*found.commits, *(node for node in found.because if node.kind == "commit")],
        found.led_to,
    ]
    parts = [[node for node in nodes if node.id != found.what.id] for nodes in parts]
    parts[OWN_COLUMN.get(found.what.kind, LAST)].insert(0, found.what)
    named = zip(HEADINGS, parts, strict=True)
    return [(heading, list({node.id: node for node in nodes}.values())) for heading, nodes in named if nodes]


def _step(node: Any, here: str) -> Step:
    href = None if node.id == here or node.dropped_at else to("/trace", id=node.commit or node.id)
    return Step(node.id, node.kind.replace("_", " "), plain(node.text, 120) or "(dropped)", href)
