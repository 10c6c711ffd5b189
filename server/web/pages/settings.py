"""The settings page."""

from __future__ import annotations

from starlette.routing import Route

from server.web.endpoint import Site


def routes(_: Site) -> list[Route]:
    """None yet."""
    return []
