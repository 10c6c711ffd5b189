"""``limbeck down``: stop what `up` started."""

from __future__ import annotations

from limbeck.commands.options import AsJson
from limbeck.context import print_json
from limbeck.services.control import stop
from limbeck.services.home import Home
from limbeck.settings import load
from limbeck.steps import steps


def down(as_json: AsJson = False) -> int:
    """Stop the worker (its running tasks end first), the queue, Postgres and the supervisor.

    Hooks go on and spool; nothing that was accepted is lost.
    """
    home = Home.at(load().home)
    with steps("waiting for what runs to end"):
        ran = stop(home)
    if as_json:
        print_json({"home": str(home.path), "stopped": ran})
    else:
        print("limbeck is down" if ran else "limbeck was not running")
    return 0
