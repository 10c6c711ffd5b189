"""Facts: what is true now (or was, on a day), one fact's life, and a person's corrections."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from distill.slots import RULE
from server.web.charts.life import Version, life
from server.web.endpoint import Site
from server.web.look import Look
from server.web.shown import plain
from server.web.times import asked

PAGE = 40
KINDS = ("stack", "pattern", "convention", "constraint", "component", "decision", "general")
NARROWING = ("text", "subject", "kind", "standing", "pinned", "history", "asof", "knownat")


def routes(site: Site) -> list[Route]:
    """The list, one fact, and what can be done to it."""
    return [
        site.get("/facts", page),
        site.get("/facts/{id}", one),
        site.post("/facts/{id}/retire", retire),
        site.post("/facts/{id}/restore", restore),
        site.post("/facts/{id}/confirm", confirm),
        site.post("/facts/{id}/pin", pin),
        site.post("/facts/{id}/edit", edit),
    ]


def page(look: Look) -> Response:
    """Facts by subject."""
    query = look.query
    as_of, known_at = asked(query.get("asof"), "as of"), asked(query.get("knownat"), "known at")
    found = look.ask(
        "list_facts",
        project=look.project,
        subject=query.get("subject"),
        kind=query.get("kind"),
        standing=query.get("standing"),
        pinned=True if query.get("pinned") else None,
        text=query.get("text"),
        as_of=as_of,
        known_at=known_at,
        history=bool(query.get("history")),
        cursor=query.get("after"),
        limit=PAGE,
    )
    return look.page(
        "facts.html",
        "Facts",
        subjects=grouped(found.facts),
        next=found.next_cursor,
        kinds=KINDS,
        as_of=as_of,
        known_at=known_at,
        narrowed=any(query.get(name) for name in NARROWING),
    )


def grouped(facts: Iterable[Any]) -> list[tuple[str, list[Any]]]:
    """Facts that follow one another by their subject; "" for rules, whose subject leaves out whether it is never."""
    found = groupby(facts, lambda fact: "" if fact.attribute == RULE else fact.subject)
    return [(subject, list(held)) for subject, held in found]


def one(look: Look) -> Response:
    """A fact with every version, drawn and told."""
    told = look.ask("get_fact", id=_id(look))
    versions = [
        Version(
            plain(one.value or one.statement), one.valid_from, one.valid_to, one.recorded_at, one.retired_at
        )
        for one in told.versions
    ]
    return look.page(
        "fact.html",
        told.fact.statement,
        fact=told.fact,
        is_rule=told.fact.attribute == RULE,
        versions=told.versions[::-1],
        picture=life(versions, look.now),
        behind=look.ask("open_evidence", id=told.fact.id, limit=10, max_chars=1500),
        earlier=told.more,
        reviews=look.ask("list_reviews", fact=told.fact.id, limit=20).reviews,
    )


def retire(look: Look) -> Response:
    """Close the fact."""
    return _done(look, "retired", look.ask("retire_fact", id=_id(look), reason=look.form.get("reason")))


def restore(look: Look) -> Response:
    """Bring the fact back."""
    return _done(look, "restored", look.ask("restore_fact", id=_id(look)))


def confirm(look: Look) -> Response:
    """Stand by the fact."""
    return _done(look, "confirmed", look.ask("confirm_fact", id=_id(look)))


def pin(look: Look) -> Response:
    """Pin or unpin the fact."""
    pinned = look.form.get("pinned") == "yes"
    told = look.ask("pin_fact", id=_id(look), pinned=pinned)
    return _done(look, "pinned" if pinned else "unpinned", told)


def edit(look: Look) -> Response:
    """Reword the fact."""
    form = look.form
    told = look.ask("edit_fact", id=_id(look), statement=form.get("statement"), value=form.get("value"))
    return _done(look, "edited", told)


def _done(look: Look, done: str, told: Any) -> Response:
    return look.back(f"/facts/{told.fact.id}", done, project=look.form.get("project"))


def _id(look: Look) -> str:
    return str(look.request.path_params["id"])
