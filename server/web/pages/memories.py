"""Memories: what people and their agents saved on purpose; deleted with six seconds to think again."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from server.errors import BadInput
from server.web.addresses import inside
from server.web.endpoint import Site
from server.web.look import Look

MOST = 60
FOUND = 20
PROMPT = (
    "Save a memory with Limbeck: draft one crisp, self-contained sentence that will still make sense later, with the "
    "snippets of our conversation it rests on. Leave out secrets, tokens and personal data, and point out anything "
    "that looks like one. Show me the draft, and save it only after I say yes. The memory is: "
)


def routes(site: Site) -> list[Route]:
    """The panel, and what is done in it."""
    return [
        site.get("/memories", page),
        site.post("/memories", save),
        site.post("/memories/delete", delete),
        site.post("/memories/undo", undo),
        site.post("/memories/device", device),
    ]


def page(look: Look) -> Response:
    """The visitor's own memories, newest first, or those that answer the words in the address."""
    if look.request.cookies.get("memories") == "off":
        return look.page("memories_off.html", "Memories")
    words = look.query.get("q", "").strip()
    every = look.ask("getMemory", limit=MOST).memories
    held = {one.memory for one in look.frame.held}
    shown = [one for one in every if one.id not in held]
    if words:
        known = {one.id: one for one in shown}
        found = look.ask("getMemorySearch", q=words[:512], limit=FOUND).results
        shown = [known.get(one.id, one) for one in found if one.id not in held]
    return look.page("memories.html", "Memories", memories=shown, words=words, prompt=PROMPT)


def save(look: Look) -> Response:
    """Keep what a person wrote."""
    tags = [one.strip() for one in look.form.get("tags", "").split(",") if one.strip()]
    look.ask("postMemory", content=look.form.get("content", ""), tags=tags or None)
    return look.back("/memories", "saved")


def delete(look: Look) -> Response:
    """Take a memory out of sight; it is gone for good in six seconds."""
    look.ask("hold_deletion", id=look.form.get("memory", ""))
    answer = look.back("/memories", "", q=look.form.get("q"))
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
