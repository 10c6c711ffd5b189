"""What a supervisor that was killed left running. Only our own children can be reaped, so these are stopped."""

from __future__ import annotations

from limbeck.services.home import Home
from limbeck.services.server import SERVER
from limbeck.services.state import State
from limbeck.services.worker import WORKERS, end_orphan, end_strays

PARTS = (*WORKERS, SERVER)


def end_leftovers(home: Home, before: State | None) -> bool:
    """Stop what a killed supervisor left running; the caller holds the lock. Returns whether anything ran."""
    children = before.children if before is not None else {}
    ran = False
    for identity in (children[name].identity for name in PARTS if name in children):
        ran = ran or (identity is not None and identity.process() is not None)
        end_orphan(identity)
    for name in PARTS:
        ran = end_strays(home.run / f"{name}.ready") or ran
    if (home.state / "redis").is_dir():
        valkey = home.valkey()
        ran = ran or valkey.running() is not None
        valkey.stop()
    if (home.state / "postgres").is_dir():
        postgres = home.postgres()
        ran = ran or postgres.running() is not None
        postgres.stop()
    return ran
