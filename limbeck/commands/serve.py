"""``limbeck serve``: the server in the foreground."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[str | None, typer.Option(help="Listen here; else LIMBECK_SERVER_HOST.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="At this port; else LIMBECK_SERVER_PORT.")
    ] = None,
    ready_file: Annotated[Path | None, typer.Option(hidden=True)] = None,
) -> int:
    """Answer over REST (/v1, described at /openapi.json) and MCP (/mcp) until asked to stop.

    `limbeck up` runs it in the background; this is for containers and teams, and beside the server of `up` a further
    one: agents go on asking that one. Nothing answers without a token, which `limbeck token create` makes. Reached
    from other machines it belongs behind a proxy that speaks TLS; name it in LIMBECK_SERVER_PROXIES and its host name
    in LIMBECK_SERVER_HOSTS.
    """
    from dataclasses import replace

    from limbeck.server import run as server
    from limbeck.services.home import Home
    from limbeck.settings import load

    settings = load()
    settings = replace(
        settings,
        server_host=settings.server_host if host is None else host,
        server_port=settings.server_port if port is None else port,
    )
    home = Home.at(settings.home)
    home.prepare()
    os.umask(0o077)
    server.log_to(settings.log_level)
    server.run(settings, home, server.ready_file(ready_file), kept=ready_file is not None)
    return 0
