"""Whether what a command asked in vain is simply not started."""

from __future__ import annotations

from schema.errors import DatabaseUnavailable, LimbeckError


def explained(error: LimbeckError) -> LimbeckError:
    """Return what to tell a person of ``error``.

    That is NotRunning where a server of our own did not answer because nothing runs here, else the error itself.
    """
    from limbeck.errors import DatabaseRefused, DatabaseUnreachable, NotRunning, QueueUnreachable
    from limbeck.ship.errors import QueueUnavailable

    database = isinstance(error, DatabaseUnavailable | DatabaseUnreachable | DatabaseRefused)
    queue = isinstance(error, QueueUnreachable | QueueUnavailable)
    if not database and not queue:
        return error
    from limbeck.services import state as states
    from limbeck.services.home import Home
    from limbeck.settings import load

    settings = load()
    if not (settings.embedded_database if database else settings.embedded_redis):
        return error
    state = states.read(Home.at(settings.home).run)
    return error if state is not None and state.alive else NotRunning(home=settings.home)
