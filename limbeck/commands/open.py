"""``limbeck open``: the server in a browser."""

from __future__ import annotations

import typer

from limbeck.commands.options import AsJson
from limbeck.context import print_json


def open_(as_json: AsJson = False) -> int:
    """Open the server's pages in a browser. With --json only the address is printed."""
    from limbeck.errors import NotRunning
    from limbeck.server import address
    from limbeck.services.home import Home
    from limbeck.settings import load

    settings = load()
    url = address.read(Home.at(settings.home).run)
    if url is None:
        raise NotRunning(home=settings.home)
    if as_json:
        print_json({"url": url})
        return 0
    print(url)
    typer.launch(url)
    return 0
