"""Settings: who may ask, what is kept out, what it may cost, where each value was set, and changing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from server.errors import BadInput, Stale
from server.web.endpoint import Site
from server.web.look import Look
from server.web.numbers import whole
from server.web.pages import projects

RIGHTS = ("read", "write", "admin")
GROUPS = (
    ("models", "Models & keys", ("distiller", "anthropic_api_key", "model", "anthropic_url", "embeddings",
                                 "embeddings_key", "embeddings_model", "embeddings_dimension", "embeddings_url")),
    ("caps", "Caps", ("daily_usd", "session_usd", "at_cap", "classify_tokens")),
    ("ignored", "What hooks leave out", ("ignore_paths", "ignore_tools", "ignore_projects", "ignore_subagents")),
    ("given", "What sessions are given", ("inject", "server_tools")),
    ("keeping", "Keeping and distilling", ("retain_days", "retain_audit_days", "idle_minutes", "worker_processes",
                                           "queue_high_water", "spool_megabytes", "log_level")),
)  # fmt: skip
MACHINE = ("machine", "The machine")
# What people call them, where the name alone does not say it.
LABELS = {
    "anthropic_api_key": "Key for the model",
    "anthropic_url": "Address of the model",
    "at_cap": "At the cap",
    "classify_tokens": "New tokens until drafts are proposed",
    "database_owner_url": "Database, as its owner",
    "database_url": "Database",
    "daily_usd": "Cap of a day (US dollars)",
    "embeddings_dimension": "Size of a vector",
    "embeddings_key": "Key for embeddings",
    "embeddings_model": "Model for embeddings",
    "embeddings_url": "Address of embeddings",
    "idle_minutes": "Minutes until a session counts as ended",
    "ignore_paths": "Files",
    "ignore_projects": "Projects",
    "ignore_subagents": "Subagents",
    "ignore_tools": "Tools",
    "inject": "Given to agents",
    "queue_high_water": "Most events in the queue",
    "redis_url": "Queue",
    "remote_url": "The team's server",
    "retain_audit_days": "Days the audit log is kept",
    "retain_days": "Days raw evidence is kept",
    "server_host": "Address",
    "server_hosts": "Further host names",
    "server_port": "Port",
    "server_proxies": "Proxies that are believed",
    "server_rate": "Requests a minute",
    "server_tools": "Tools agents are told of",
    "session_usd": "Cap of a session (US dollars)",
    "spool_megabytes": "Size of the spool (MB)",
    "token": "Token for the team's server",
    "worker_processes": "Batches taken in at once",
}


def routes(site: Site) -> list[Route]:
    """The page, its settings, tokens and projects."""
    return [
        site.get("/settings", page),
        site.post("/settings/values", change),
        site.post("/settings/tokens", create),
        site.post("/settings/tokens/{id}/revoke", revoke),
        *projects.routes(site),
    ]


def page(look: Look) -> Response:
    """All of it that the visitor may see."""
    return _page(look)


def change(look: Look) -> Response:
    """Write what differs from what the form showed; what cannot be used is said, and what was typed is kept."""
    look.need("change_settings")
    group = look.form.get("group", "")
    changes = list(_changes(look))
    if not changes:
        return look.back("/settings", "same")
    try:
        changed = look.ask("change_settings", changes=changes)
    except BadInput as error:
        return _page(look, problems=(group, [one["message"] for one in error.details]), status=400)
    except Stale as error:
        return _page(look, problems=(group, [str(error)]), status=409)
    at = group if any(group == name for name, _, _ in GROUPS) else None
    answer = look.back("/settings", "set-waits" if changed.waits else "set", at=at)
    answer.headers["location"] += f"#{at}" if at else ""
    return answer


def create(look: Look) -> Response:
    """Make a token and show it, this one time: nothing is sent on, so that no address or history holds it."""
    form = look.form
    made = look.ask(
        "create_token",
        name=form.get("name"),
        user=form.get("user"),
        agent=form.get("agent") or None,
        right=form.get("right"),
        projects=[one for one in look.fields.get("project", ()) if one] or None,
        days=whole(form.get("days")),
    )
    return _page(look, made=made)


def revoke(look: Look) -> Response:
    """End a token."""
    look.ask("revoke_token", id=str(look.request.path_params["id"]))
    return look.back("/settings", "revoked")


def _changes(look: Look) -> Any:
    """What the form says that differs from what it was drawn with, so that nobody's change elsewhere is undone."""
    out = set(look.fields.get("out", ()))
    for name in _names():
        said = _plain(look.form.get(name))
        if name in out:
            yield {"name": name, "value": None}
        elif f"was.{name}" in look.form:
            if said != _plain(look.form[f"was.{name}"]):
                yield {"name": name, "value": said or None, "version": look.form.get(f"version.{name}")}
        elif said:
            yield {"name": name, "value": said}


def _names() -> list[str]:
    return [name for _, _, names in GROUPS for name in names]


def _plain(text: str | None) -> str:
    return (text or "").replace("\r\n", "\n").strip()


def _page(
    look: Look,
    made: Any = None,
    problems: tuple[str, list[str]] = ("", []),
    status: int = 200,
) -> Response:
    everywhere = look.principal.projects is None
    settings = look.ask("list_settings").settings if look.may("list_settings") else []
    known = {one.name: one for one in settings}
    groups = [(at, title, [known[name] for name in names if name in known]) for at, title, names in GROUPS]
    grouped = {*_names()}
    groups.append((*MACHINE, [one for one in settings if one.name not in grouped]))
    rows, following = projects.listed(look, known)
    return look.page(
        "settings.html",
        "Settings",
        status=status,
        made=made,
        tokens=look.ask("list_tokens").tokens if everywhere and look.may("list_tokens") else [],
        groups=[(at, title, found) for at, title, found in groups if found],
        changing=everywhere and look.may("change_settings") and any(not one.kept_from for one in settings),
        problems=problems,
        said_values=_said(look.form) if problems[1] else {},
        listed=rows,
        next=following,
        counted=_count(look, rows, following),
        capture_editable=projects.IGNORED in known and not known[projects.IGNORED].kept_from,
        rights=RIGHTS,
        labels=LABELS,
        device_off=look.request.cookies.get("memories") == "off",
    )


def _count(look: Look, rows: Sequence[projects.Row], following: str | None) -> str:
    """How many projects are shown, of how many."""
    if following is None and "after" not in look.query:
        return str(len(rows))
    return f"{len(rows)} of {len(look.frame.projects) + look.frame.projects_left_out}"


def _said(form: Mapping[str, str]) -> dict[str, str]:
    """What was typed, to be shown again; never a key."""
    return {name: form[name] for name in _names() if f"was.{name}" in form and name in form}
