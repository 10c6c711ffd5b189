"""Projects among the settings: their names, whether hooks leave them out, and forgetting one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from capture.policy import Policy
from server.errors import BadInput, Missing
from server.web.endpoint import Site
from server.web.look import Look

IGNORED = "ignore_projects"
MOST = 100


@dataclass(frozen=True, slots=True)
class Row:
    """A project; ``left_out`` by a pattern of its own (``own``) or by one that covers more, ``known_by`` to hooks."""

    project: Any
    known_by: str
    left_out: bool
    own: bool


def routes(site: Site) -> list[Route]:
    """What is done to one."""
    return [
        site.post("/settings/projects/{id}/name", rename),
        site.post("/settings/projects/{id}/capture", capture),
    ]


def listed(look: Look, known: Mapping[str, Any]) -> list[Row]:
    """The projects in reach; ``known`` are the settings by name, where the visitor may see them."""
    told = IGNORED in known and not known[IGNORED].secret
    patterns = known[IGNORED].value.splitlines() if told else []
    policy = Policy(projects=patterns)
    return [
        Row(
            one,
            one.remote or one.root or "",
            policy.project(one.root, one.remote),
            bool({one.remote, one.root} & {*patterns}),
        )
        for one in look.ask("list_projects", limit=MOST).projects
    ]


def rename(look: Look) -> Response:
    """Give it another name."""
    look.ask("rename_project", id=str(look.request.path_params["id"]), name=look.form.get("name", ""))
    return _back(look, "named")


def capture(look: Look) -> Response:
    """Let hooks leave it out from now on, or take it in again."""
    look.need("change_settings")
    known = {one.name: one for one in look.ask("list_settings").settings}
    identifier = str(look.request.path_params["id"])
    row = next((row for row in listed(look, known) if row.project.id == identifier), None)
    if row is None or not row.known_by or IGNORED not in known:
        raise Missing(what="project", name=identifier)
    patterns = [
        one for one in known[IGNORED].value.splitlines() if one not in (row.project.remote, row.project.root)
    ]
    wanted = look.form.get("capture")
    if wanted not in ("on", "off"):
        raise BadInput(what="capture", why="it is on or off")
    if wanted == "off":
        patterns.append(row.known_by)
    look.ask("change_settings", changes=[{"name": IGNORED, "value": "\n".join(patterns) or None}])
    return _back(look, "left-out" if wanted == "off" else "taken-in")


def _back(look: Look, done: str) -> Response:
    answer = look.back("/settings", done, at="projects")
    answer.headers["location"] += "#projects"
    return answer
