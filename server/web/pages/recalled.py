"""Recall: the search that agents use, for people, with why each result stands where it does."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from recall.fence import worded
from schema.kinds import KINDS
from server.web.addresses import to
from server.web.charts.signals import signals
from server.web.endpoint import Site
from server.web.look import Look
from server.web.times import asked

NUMBER = re.compile(r"[A-Z]{2}[0-9]{4,9}")
MOST = 12
BUDGET = 6_000


def routes(site: Site) -> list[Route]:
    """The one page."""
    return [site.get("/recall", page)]


def page(look: Look) -> Response:
    """The answer to the question in the address."""
    query = look.query
    kinds = [one for one in look.request.query_params.getlist("kind") if one in KINDS]
    words = query.get("q", "").strip()
    answer = None
    if words:
        answer = look.ask(
            "search_memory",
            query=words[:2000],
            project=look.project,
            kinds=kinds or None,
            files=[query["file"]] if "file" in query else None,
            as_of=asked(query.get("asof"), "as of"),
            history=bool(query.get("history")),
            limit=MOST,
            budget=BUDGET,
        )
    hits = answer.hits if answer else []
    return look.page(
        "recall.html",
        words or "Recall",
        words=words,
        answer=answer,
        groups=[
            (heading, [one for one in hits if one.current == current])
            for heading, current in (("Holds now", True), ("Holds no longer", False))
        ],
        ranks={hit.ref: number for number, hit in enumerate(hits, 1)},
        found=Counter(hit.kind for hit in hits),
        kinds=KINDS,
        chosen=kinds,
        why=signals,
        place=_place,
        worded=worded,
    )


def _place(hit: Any) -> str:
    """Where a result can be looked at."""
    if hit.kind == "fact":
        return f"/facts/{hit.ref}"
    if hit.kind == "memory":
        return "/memories"
    if hit.kind == "item" and (number := NUMBER.match(hit.title)):
        return to(f"/backlog/{number[0]}", project=hit.project)
    if hit.kind in ("session", "summary", "turn") and hit.session:
        return f"/sessions/{hit.session}"
    return to("/trace", id=hit.ref)
