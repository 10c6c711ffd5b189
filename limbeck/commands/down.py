"""``limbeck down``: stop what `up` started."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from limbeck.services.control import stop
from limbeck.services.home import Home
from limbeck.settings import load


def down(as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False) -> int:
    """Stop the worker (its running tasks end first), the queue, Postgres and the supervisor.

    Hooks go on and spool; nothing that was accepted is lost.
    """
    home = Home.at(load().home)
    ran = stop(home)
    if as_json:
        print(json.dumps({"home": str(home.path), "stopped": ran}))
    else:
        print("limbeck is down" if ran else "limbeck was not running")
    return 0
