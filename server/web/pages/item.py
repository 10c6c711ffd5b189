"""One item: what it says, where it can move, what belongs to it, and what was done."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from server.web.board import case_of, moves
from server.web.endpoint import Site
from server.web.look import Look
from server.web.numbers import whole


def routes(site: Site) -> list[Route]:
    """The page, its changes, and the page of a use case as Markdown."""
    return [
        site.get("/backlog/{number}", page),
        site.post("/backlog/{number}", change),
        site.post("/backlog/{number}/work", work),
    ]


def page(look: Look) -> Response:
    """The item in the project of the address."""
    number = _number(look)
    told = look.ask("get_item_by_number", number=number, project=look.project)
    past = look.ask("get_work_item_history", number=number, project=look.project)
    forward, back = moves(told.item.state)
    case = case_of(told.item, told.items)
    guarded = told.item.type == "US" and forward == "done" and bool(case.waiting)
    return look.page(
        "item.html",
        f"{told.item.number} {told.item.title}",
        item=told.item,
        items=told.items,
        work=told.work[::-1],
        history=past.history[::-1],
        forward=forward,
        backward=back,
        guard=case.waiting if guarded else (),
        chosen=look.project,
    )


def change(look: Look) -> Response:
    """Move the item, or change its words."""
    form, number = look.form, _number(look)
    given: dict[str, object] = {name: form[name] for name in ("title", "text", "state") if name in form}
    if "use_case" in form:
        given["use_case"] = form["use_case"].strip().upper()
    if (version := whole(form.get("version"))) is not None:
        given["version"] = version
    look.ask("update_work_item", number=number, project=form.get("project") or None, **given)
    return look.back(
        f"/backlog/{number}", "moved" if "state" in form else "saved", project=form.get("project")
    )


def work(look: Look) -> Response:
    """Note what was done."""
    form, number = look.form, _number(look)
    look.ask(
        "add_work_log",
        number=number,
        project=form.get("project") or None,
        outcome=form.get("outcome"),
        tests=form.get("tests"),
        commit=form.get("commit") or None,
    )
    return look.back(f"/backlog/{number}", "noted", project=form.get("project"))


def _number(look: Look) -> str:
    return str(look.request.path_params["number"])
