"""Backlog: drafts that wait for a person, use cases and their items on a board."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from server.errors import BadInput, ServerError
from server.web.endpoint import Site
from server.web.look import Look
from server.web.numbers import whole
from server.web.pages import item

MOST = 100
TYPES = {"US": "use case", "FE": "feature", "BU": "bug", "TA": "task", "PO": "policy", "RE": "requirement"}


def routes(site: Site) -> list[Route]:
    """The page, what is decided on it, and one item."""
    return [
        site.get("/backlog", page),
        site.post("/backlog/drafts", decide),
        site.post("/backlog/drafts/{id}", change),
        site.post("/backlog/propose", propose),
        site.post("/backlog/classify", classify),
        *item.routes(site),
    ]


def page(look: Look) -> Response:
    """Of one project; where several are in reach and none is chosen, which one."""
    return drawn(look)


def drawn(
    look: Look, project: str | None = None, problems: list[str] | None = None, status: int = 200
) -> Response:
    """The page, with what went wrong."""
    chosen = project or look.project or only(look)
    if chosen is None:
        return look.page("choose.html", "Backlog", path="/backlog", what="backlog")
    board = look.ask("board", project=chosen)
    waiting = look.ask("list_drafts", project=chosen, cursor=look.query.get("after"), limit=MOST)
    decided = look.ask("list_drafts", project=chosen, state=["rejected", "merged"], limit=20)
    return look.page(
        "backlog.html",
        "Backlog",
        status=status,
        chosen=chosen,
        drafts=waiting.drafts,
        next=waiting.next_cursor,
        decided=decided.drafts,
        decided_more=decided.next_cursor is not None,
        board=board,
        types=TYPES,
        problems=problems or [],
    )


def only(look: Look) -> str | None:
    """The one project in reach; None where there are several, or none."""
    projects = look.frame.projects
    return projects[0].key if len(projects) == 1 else None


def every(look: Look, operation: str, name: str, **given: Any) -> tuple[list[Any], bool]:
    """The first thousand of a list, and whether there are more."""
    found: list[Any] = []
    cursor = None
    for _ in range(10):
        told = look.ask(operation, cursor=cursor, limit=MOST, **given)
        found += getattr(told, name)
        cursor = told.next_cursor
        if cursor is None:
            break
    return found, cursor is not None


def decide(look: Look) -> Response:
    """Approve, reject or merge the chosen drafts; what cannot be is told, the others are done."""
    look.need("approve_draft")
    form, chosen = look.form, list(look.fields.get("draft", ()))
    project, decision = form.get("project", ""), form.get("decision", "")
    if not chosen:
        return look.back("/backlog", "nothing", project=project)
    if decision == "merge" and not form.get("into"):
        raise BadInput(what="into", why="say which draft or item to merge into")
    homes: dict[str, str | None] = {}
    if decision == "approve":
        homes = {one.id: one.parent for one in every(look, "list_drafts", "drafts", project=project)[0]}
    problems, decided = [], set[str]()
    for draft in chosen:
        if draft in decided:
            continue  # it was the use case of one before, and came first
        try:
            _one(look, decision, draft, project)
            decided |= {draft, homes.get(draft) or draft}
        except ServerError as error:
            problems.append(str(error))
    if problems:
        return drawn(look, project, problems, 400)
    done = {"approve": "approved", "reject": "rejected", "merge": "merged"}[decision]
    return look.back("/backlog", done, project=project)


def _one(look: Look, decision: str, draft: str, project: str) -> None:
    if decision == "approve":
        look.ask("approve_draft", id=draft, project=project)
    elif decision == "reject":
        look.ask("reject_draft", id=draft, project=project, reason=look.form.get("reason"))
    elif decision == "merge":
        if draft != look.form["into"]:
            look.ask("merge_drafts", id=draft, project=project, into=look.form["into"])
    else:
        raise BadInput(what="decision", why="it is approve, reject or merge")


def change(look: Look) -> Response:
    """Save a draft's words, and approve it where that was asked."""
    form, draft = look.form, str(look.request.path_params["id"])
    given = {
        "id": draft,
        "project": form.get("project"),
        "type": form.get("type"),
        "title": form.get("title"),
        "text": form.get("text"),
        "version": whole(form.get("version")),
    }
    if "use_case" in form:
        given["use_case"] = form["use_case"].strip().upper()
    approving = form.get("decision") == "approve"
    look.ask("approve_draft" if approving else "edit_draft", **given)
    return look.back("/backlog", "approved" if approving else "saved", project=form.get("project"))


def propose(look: Look) -> Response:
    """Make a draft by hand."""
    form = look.form
    look.ask(
        "create_entity",
        project=form.get("project"),
        type=form.get("type"),
        title=form.get("title"),
        text=form.get("text"),
        parent=form.get("parent") or None,
    )
    return look.back("/backlog", "created", project=form.get("project"))


def classify(look: Look) -> Response:
    """Read what nobody has read yet."""
    project = look.form.get("project")
    told = look.ask("classify", project=project)
    return look.back("/backlog", "more" if told.more else "read", project=project)
