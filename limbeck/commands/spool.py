"""``limbeck spool``: what waits on this machine's disk, and emptying it by hand."""

from __future__ import annotations

import time
from dataclasses import asdict

import typer

from limbeck.commands.options import AsJson
from limbeck.context import print_json
from limbeck.services.addresses import addresses
from limbeck.services.home import Home
from limbeck.settings import load
from limbeck.show import counted
from limbeck.steps import steps

spool = typer.Typer(help="Events that wait on this machine's disk: status, drain.", no_args_is_help=True)


@spool.command()
def status(as_json: AsJson = False) -> None:
    """Show how much waits, since when, and what the spool had to refuse."""
    from limbeck.ship.files import backlog

    home = Home.at(load().home)
    waiting = backlog(home.spool, time.time())
    if as_json:
        print_json(asdict(waiting))
        return
    if waiting.oldest_seconds is None:
        print(f"Nothing waits in {home.spool}.")
    else:
        print(
            f"{counted(waiting.bytes, 'byte')} in {counted(waiting.files, 'file')} and "
            f"{counted(waiting.errands, 'errand')} wait in {home.spool}, "
            f"the oldest for {waiting.oldest_seconds:.0f} seconds."
        )
    if waiting.later:
        print(f"{counted(waiting.later, 'commit')} were sent and will be measured at leisure.")
    if waiting.refused:
        print(
            f"Refused: {counted(waiting.refused, 'event')}; the spool was at its limit, or the disk was full."
        )
    if waiting.unreadable:
        calls = counted(waiting.unreadable, "call")
        print(f"Not kept: {calls} of a hook with something that is no JSON object.")
    if waiting.torn or waiting.torn_bytes:
        print(
            f"{waiting.torn} lines were no whole events; {waiting.torn_bytes:,} bytes of them are kept in "
            f"{home.spool}/torn.jsonl."
        )
    if waiting.aside:
        print(f"{waiting.aside} errands could not be run and are kept in {home.spool}/aside; see the log.")


@spool.command()
def drain(as_json: AsJson = False) -> None:
    """Send everything that waits to the queue now, errands included.

    Where `limbeck up` or `limbeck ship` runs, they do it already and nothing is left to do.
    """
    from limbeck.ship.errors import AnotherShipper
    from limbeck.ship.loop import drain as drain_now

    settings = load()
    home = Home.at(settings.home)
    try:
        with steps("sending what waits"):
            url = settings.remote_url or addresses(settings, home).redis_url
            sent, by_another = drain_now(home.path, url, settings.token), False
    except AnotherShipper:
        sent, by_another = 0, True
    if as_json:
        print_json({"sent": sent, "shipped_by_another": by_another})
    elif by_another:
        print("The supervisor (or `limbeck ship`) ships it already.")
    else:
        print(f"{counted(sent, 'event')} sent.")
