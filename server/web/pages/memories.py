"""Memories: what people and their agents saved on purpose; deleted with six seconds to think again."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from server.errors import BadInput
from server.web.addresses import inside
from server.web.endpoint import Site
from server.web.look import Look
from server.web.numbers import whole

MOST = 60
FOUND = 20
KEYS = 40
KINDS = {"notes": "Notes", "keys": "Kept under keys"}
PROMPT = (
    "Save a memory with Limbeck: draft one crisp, self-contained sentence that will still make sense later, with the "
    "snippets of our conversation it rests on. Leave out secrets, tokens and personal data, and point out anything "
    "that looks like one. Show me the draft, and save it only after I say yes. The memory is: "
)


def routes(site: Site) -> list[Route]:
    """The panel, one key, and what is done in them."""
    return [
        site.get("/memories", page),
        site.get("/memories/kept/{id}", one),
        site.post("/memories", save),
        site.post("/memories/kept", keep),
        site.post("/memories/delete", delete),
        site.post("/memories/undo", undo),
        site.post("/memories/device", device),
    ]


def page(look: Look) -> Response:
    """The visitor's notes and what is kept under keys, the newest first, or what answers the words in the address."""
    if look.request.cookies.get("memories") == "off":
        return look.page("memories_off.html", "Memories")
    query = look.query
    words = query.get("q", "").strip()
    kind = query.get("kind") if query.get("kind") in KINDS else ""
    if query.get("scope"):
        kind = "keys"
    held = {one.memory for one in look.frame.held}
    told = look.ask(
        "list_remembered",
        project=look.project,
        scope=query.get("scope"),
        query=words[:512],
        cursor=query.get("after"),
        limit=KEYS if kind != "notes" else 1,
    )
    notes, older = _notes(look, words, held) if kind != "keys" else ([], None)
    return look.page(
        "memories.html",
        "Memories",
        memories=notes,
        older=older,
        best=FOUND if words else None,
        entries=[one for one in told.entries if one.id not in held] if kind != "notes" else [],
        scopes=told.scopes,
        scopes_left_out=told.scopes_left_out,
        next=told.next_cursor if kind != "notes" else None,
        words=words,
        kind=kind,
        kinds=KINDS,
        prompt=PROMPT,
    )


def _notes(look: Look, words: str, held: set[str]) -> tuple[list[Any], str | None]:
    """A page of the notes and where the next begins; those that answer ``words`` are all on one."""
    saved = look.ask("list_saved", cursor=None if words else look.query.get("notes"), limit=MOST)
    if not words:
        return [one for one in saved.memories if one.id not in held], saved.next_cursor
    known = {one.id: one for one in saved.memories}
    found = look.ask("getMemorySearch", q=words[:512], limit=FOUND).results
    return [known.get(one.id, one) for one in found if one.id not in held], None


def one(look: Look) -> Response:
    """One key in full, with the values it had."""
    told = look.ask("get_remembered", id=str(look.request.path_params["id"]))
    gone = told.entry.id in {one.memory for one in look.frame.held}
    return look.page(
        "kept.html",
        told.entry.key,
        entry=told.entry,
        versions=told.versions,
        left_out=told.versions_left_out,
        gone=gone,
    )


def keep(look: Look) -> Response:
    """Write a key's next value; refused where somebody wrote another one meanwhile."""
    form = look.form
    look.ask(
        "remember",
        scope=form.get("scope"),
        key=form.get("key"),
        value=form.get("value"),
        version=whole(form.get("version")),
    )
    return look.back(inside(form.get("back"), "/memories"), "saved")


def save(look: Look) -> Response:
    """Keep what a person wrote."""
    tags = [one.strip() for one in look.form.get("tags", "").split(",") if one.strip()]
    look.ask("postMemory", content=look.form.get("content", ""), tags=tags or None)
    return look.back("/memories", "saved")


def delete(look: Look) -> Response:
    """Take a memory out of sight; it is gone for good in six seconds."""
    look.ask("hold_deletion", id=look.form.get("memory", ""))
    answer = look.back(
        "/memories", "", **{name: look.form.get(name) for name in ("q", "kind", "scope", "project")}
    )
    answer.headers["location"] += "#list"
    return answer


def undo(look: Look) -> Response:
    """Take a deletion back, from whichever page it is still offered on."""
    undone = look.ask("undo_deletion", id=look.form.get("memory", "")).undone
    return look.back(inside(look.form.get("back"), "/memories"), "undone" if undone else "too-late")


def device(look: Look) -> Response:
    """Show or hide the panel on this device."""
    wanted = look.form.get("panel")
    if wanted not in ("on", "off"):
        raise BadInput(what="panel", why="it is on or off")
    answer = look.back("/memories", "saved")
    if wanted == "on":
        answer.delete_cookie("memories", path="/", httponly=True, samesite="strict")
    else:
        answer.set_cookie("memories", "off", max_age=31_536_000, path="/", httponly=True, samesite="strict")
    return answer
