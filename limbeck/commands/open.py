"""``limbeck open``: the viewer in a browser, signed in by a link that works once."""

from __future__ import annotations

from typing import Annotated

import typer

from limbeck.commands.options import AsJson
from limbeck.context import print_json


def open_(
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address; it signs in once, for two minutes.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Open the viewer in a browser, signed in as this machine's owner. With --json only the address is printed.

    The address holds a key that works once and for two minutes: pass it to nobody. The browser asks before it signs in.
    """
    import webbrowser

    from limbeck.errors import NotRunning
    from limbeck.server import address, forwarding, owner
    from limbeck.server.entrance import entrance
    from limbeck.server.errors import NoBrowser
    from limbeck.services.home import Home
    from limbeck.settings import load

    settings = load()
    home = Home.at(settings.home)
    url, token = address.read(home.run), owner.read(home.path)
    if url is None or token is None:
        raise NotRunning(home=settings.home)
    link = entrance(url, token)
    if as_json:
        print_json({"url": link})
        return 0
    if no_browser:
        print(link)
        return 0
    # Nothing that a program is started with is secret on this machine: the browser gets a file's name.
    if not webbrowser.open(forwarding.write(home.run, link).as_uri()):
        forwarding.forget(home.run)
        raise NoBrowser
    print(f"{url} is open in the browser; `limbeck open --no-browser` prints an address instead")
    return 0
