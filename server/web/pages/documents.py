"""Documents: what was imported and what came of it, use cases as pages, and the bundle that agents read."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from server.errors import BadInput, Missing
from server.web.endpoint import Site
from server.web.look import Look
from server.web.pages.backlog import every, only

SHOWN = 60_000
PAGE = 100


def routes(site: Site) -> list[Route]:
    """The lists, one document, one page to edit, and one file of the bundle."""
    return [
        site.get("/documents", page),
        site.post("/documents", add),
        site.get("/documents/okf", bundle),
        site.get("/documents/pages/{number}", edit),
        site.post("/documents/pages/{number}", save),
        site.get("/documents/{id}", one),
    ]


def page(look: Look) -> Response:
    """Documents of what is looked at; pages and bundle of one project."""
    chosen = look.project or only(look)
    items: list[Any] = []
    more = False
    if chosen:
        items, more = every(look, "list_work_items", "items", project=chosen, type=["US"])
    found = look.ask("list_documents", project=look.project, cursor=look.query.get("after"), limit=PAGE)
    return look.page(
        "documents.html",
        "Documents",
        documents=found.documents,
        next=found.next_cursor,
        cases=items,
        cases_more=more,
        chosen=chosen,
    )


def add(look: Look) -> Response:
    """Keep a pasted text as a document."""
    form = look.form
    made = look.ask(
        "import_document", name=form.get("name"), text=form.get("text"), project=form.get("project") or None
    )
    return look.back(f"/documents/{made.id}", "saved")


def one(look: Look) -> Response:
    """A document, its passages and what became of each."""
    name = str(look.request.path_params["id"])
    told = look.ask("get_document", id=name, most=SHOWN)
    return look.page(
        "document.html",
        told.document.title or told.document.name,
        document=told.document,
        text=told.text,
        whole=told.next_offset is None,
        came=look.ask("list_passages", id=told.document.id),
    )


def edit(look: Look) -> Response:
    """A use case's page as it stands."""
    told = look.ask("get_use_case_page", number=_number(look), project=look.project)
    return _editor(look, told.text, look.project)


def save(look: Look) -> Response:
    """Show the edited page, or save it; where somebody else changed the same, both are shown."""
    form, number = look.form, _number(look)
    text, project = form.get("text", "").replace("\r\n", "\n"), form.get("project") or None
    if form.get("act") == "preview":
        return _editor(look, text, project, preview=True)
    try:
        told = look.ask("save_use_case_page", number=number, project=project, text=text)
    except BadInput as error:
        return _editor(look, text, project, problem=str(error), status=400)
    if told.conflicts:
        return _editor(look, told.text, project, conflicts=told.conflicts, status=409)
    return look.back(f"/documents/pages/{number}", "saved", project=project)


def _editor(
    look: Look,
    text: str,
    project: str | None,
    *,
    preview: bool = False,
    problem: str = "",
    conflicts: list[str] | None = None,
    status: int = 200,
) -> Response:
    return look.page(
        "page.html",
        f"Page of {_number(look)}",
        status=status,
        number=_number(look),
        text=text,
        chosen=project,
        preview=_body(text) if preview else "",
        problem=problem,
        conflicts=conflicts or [],
    )


def bundle(look: Look) -> Response:
    """The bundle's files, and the one named in the address."""
    chosen = look.project or only(look)
    if chosen is None:
        return look.page("choose.html", "Bundle", path="/documents/okf", what="bundle")
    told = look.ask("get_okf", project=chosen)
    wanted = look.query.get("file", "index.md")
    file = next((one for one in told.files if one.path == wanted), None)
    if file is None and "file" in look.query:
        raise Missing(what="file of the bundle", name=wanted)
    return look.page(
        "okf.html", "Bundle", bundle=told, file=file, chosen=chosen, body=_body(file.text) if file else ""
    )


def _body(text: str) -> str:
    """A page without its frontmatter, which is for programs."""
    if text.startswith("---\n") and (end := text.find("\n---\n", 4)) > 0:
        return text[end + 5 :]
    return text


def _number(look: Look) -> str:
    return str(look.request.path_params["number"])
