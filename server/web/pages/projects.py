"""Projects among the settings: their names, whether hooks leave them out, and forgetting one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from capture.policy import Policy
from server.errors import BadInput, Missing, Stale
from server.web.endpoint import Site
from server.web.look import Look

IGNORED = "ignore_projects"
PAGE = 50
TRIES = 5  # each that fails lets somebody else's change stand


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


def listed(look: Look, known: Mapping[str, Any], only: str | None = None) -> tuple[list[Row], str | None]:
    """A page of the projects in reach and where the next begins, or the ``only`` one.

    ``known`` are the settings by name, where the visitor may see them.
    """
    told = IGNORED in known and not known[IGNORED].secret
    patterns = known[IGNORED].value.splitlines() if told else []
    policy = Policy(projects=patterns)
    found = look.ask("list_projects", project=only, cursor=look.query.get("after"), limit=PAGE)
    rows = [
        Row(
            one,
            one.remote or one.root or "",
            policy.project(one.root, one.remote),
            bool({one.remote, one.root} & {*patterns}),
        )
        for one in found.projects
    ]
    return rows, found.next_cursor


def rename(look: Look) -> Response:
    """Give it another name."""
    look.ask("rename_project", id=str(look.request.path_params["id"]), name=look.form.get("name", ""))
    return _back(look, "named")


def capture(look: Look) -> Response:
    """Let hooks leave it out from now on, or take it in again, whatever somebody else adds at the same time."""
    look.need("change_settings")
    wanted = look.form.get("capture")
    if wanted not in ("on", "off"):
        raise BadInput(what="capture", why="it is on or off")
    for left in range(TRIES, 0, -1):
        try:
            waits = _write(look, wanted)
            break
        except Stale:
            if left == 1:
                raise
    return _back(look, "set-waits" if waits else "left-out" if wanted == "off" else "taken-in")


def _write(look: Look, wanted: str) -> bool:
    """Write the rule; returns whether it waits for the next start."""
    known = {one.name: one for one in look.ask("list_settings").settings}
    identifier = str(look.request.path_params["id"])
    rows, _ = listed(look, known, identifier)
    if not rows or not rows[0].known_by or IGNORED not in known:
        raise Missing(what="project", name=identifier)
    row, setting = rows[0], known[IGNORED]
    patterns = [
        one for one in setting.value.splitlines() if one not in (row.project.remote, row.project.root)
    ]
    if wanted == "off":
        patterns.append(row.known_by)
    change = {"name": IGNORED, "value": "\n".join(patterns) or None, "version": setting.version}
    return bool(look.ask("change_settings", changes=[change]).waits)


def _back(look: Look, done: str) -> Response:
    answer = look.back("/settings", done, at="projects")
    answer.headers["location"] += "#projects"
    return answer
