"""Settings: who may ask, what is kept out, what it may cost, and where each value was set."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from server.web.endpoint import Site
from server.web.look import Look
from server.web.numbers import whole

RIGHTS = ("read", "write", "admin")
GROUPS = (
    ("Models & keys", ("distiller", "model", "anthropic_api_key", "anthropic_url", "embeddings", "embeddings_model",
                       "embeddings_url", "embeddings_dimension", "embeddings_key")),
    ("Caps", ("daily_usd", "session_usd", "at_cap")),
    ("What hooks leave out", ("ignore_paths", "ignore_tools", "ignore_projects", "ignore_subagents")),
    ("What sessions are given", ("inject",)),
    ("Keeping and distilling", ("idle_minutes", "worker_processes", "queue_high_water", "spool_megabytes")),
)  # fmt: skip


def routes(site: Site) -> list[Route]:
    """The page, and what can be changed at run time: tokens."""
    return [
        site.get("/settings", page),
        site.post("/settings/tokens", create),
        site.post("/settings/tokens/{id}/revoke", revoke),
    ]


def page(look: Look) -> Response:
    """All of it that the visitor may see."""
    return _page(look)


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


def _page(look: Look, made: Any = None) -> Response:
    whole = look.principal.projects is None
    settings = look.ask("list_settings").settings if look.may("list_settings") else []
    known = {one.name: one for one in settings}
    grouped = {name for _, names in GROUPS for name in names}
    groups = [(heading, [known[name] for name in names if name in known]) for heading, names in GROUPS]
    groups.append(("Everything else", [one for one in settings if one.name not in grouped]))
    return look.page(
        "settings.html",
        "Settings",
        made=made,
        tokens=look.ask("list_tokens").tokens if whole and look.may("list_tokens") else [],
        groups=[(heading, found) for heading, found in groups if found],
        listed=look.ask("list_projects", limit=100).projects,
        rights=RIGHTS,
        device_off=look.request.cookies.get("memories") == "off",
    )
