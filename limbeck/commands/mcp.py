"""``limbeck mcp``: what an agent starts to speak MCP with the server."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from limbeck.commands.forms import a_server


def mcp(
    url: Annotated[
        str | None,
        typer.Option(
            callback=a_server, help="A server elsewhere; else LIMBECK_REMOTE_URL, else this machine's."
        ),
    ] = None,
) -> int:
    """Pass MCP messages, one a line, to the server and its answers back, until standard input ends.

    This machine's server is asked with the owner's token; another one with LIMBECK_TOKEN (or LIMBECK_TOKEN_FILE).
    """
    from limbeck.server import stdio
    from limbeck.settings import load

    settings = load()
    stdio.serve(
        str(settings.home), url or settings.remote_url, os.environ, sys.stdin.buffer, sys.stdout.buffer
    )
    return 0
