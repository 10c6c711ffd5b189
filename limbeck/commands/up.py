"""``limbeck up``: everything in the background."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from rich.console import Console

from limbeck.commands.options import AsJson
from limbeck.context import print_json
from limbeck.errors import KeptElsewhere
from limbeck.install.runtime import renew
from limbeck.services.control import start
from limbeck.services.home import Home
from limbeck.settings import load
from limbeck.steps import steps

STEPS = {
    "making room": "making room",
    "redis": "starting the queue",
    "postgres": "starting Postgres",
    "schema": "checking the servers and the schema",
    "worker": "starting the worker",
    "distiller": "starting the distiller",
    "server": "starting the server",
}
# What the state file tells our own processes alone: marks of values and of processes.
KEPT = ("held", "born")


def up(as_json: AsJson = False) -> int:
    """Start everything in the background and wait until it answers. Running already, nothing changes.

    Without LIMBECK_DATABASE_URL and LIMBECK_REDIS_URL this is a Postgres and a Valkey of our own, a worker with
    its schedule, the server and the supervisor that keeps them running; with them, all but the first two. A token for
    the account that runs this is kept in the home.
    """
    settings = load()
    if settings.remote_url is not None:
        raise KeptElsewhere(url=settings.remote_url)
    home = Home.at(settings.home)
    console = Console(stderr=True, highlight=False)
    with steps("starting") as tell:
        state, already = start(settings, home, lambda step: tell(STEPS.get(step, step)) if step else None)
    if not already:
        renew(settings.home)
    if as_json:
        print_json({"home": str(home.path), "already": already, **_plain(asdict(state))})
        return 0
    for warning in state.warnings:
        console.print(f"note: {warning}")
    for name, child in state.children.items():
        if child.error:
            console.print(f"problem: {name} is down: {child.error}", markup=False, soft_wrap=True)
    print(f"limbeck {'was running already' if already else 'is up'} in {home.path}")
    return 0


def _plain(value: Any) -> Any:
    """The state as scripts read it: its moments are Unix seconds on disk and ISO 8601 here."""
    if not isinstance(value, dict):
        return value
    return {
        name: datetime.fromtimestamp(one, UTC) if name in ("since", "started") and one else _plain(one)
        for name, one in value.items()
        if name not in KEPT
    }
