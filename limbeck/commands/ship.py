"""``limbeck ship``: the shipper alone, for a machine that runs nothing else of Limbeck."""

from __future__ import annotations

import signal
import threading

from capture.config import write as write_config
from limbeck.services.addresses import addresses
from limbeck.services.home import Home
from limbeck.services.hookfile import hook_config
from limbeck.services.unfinished import sweep
from limbeck.settings import load


def ship() -> int:
    """Empty this machine's spool into the queue until stopped; `limbeck up` does it by itself.

    LIMBECK_REDIS_URL says where the queue is, or LIMBECK_REMOTE_URL and LIMBECK_TOKEN (or LIMBECK_TOKEN_FILE) a team's
    server that takes events, which is then asked for the briefs that sessions begin with. What is down is waited for.
    """
    from limbeck.ship import briefs, loop

    settings = load()
    home = Home.at(settings.home)
    home.prepare()
    sweep(home)
    url = settings.remote_url or addresses(settings, home).redis_url
    write_config(home.path, hook_config(settings, None if settings.remote_url else url, home.spool))
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    if settings.remote_url and settings.token and settings.inject != "off":
        server = settings.remote_url, settings.token
        briefs.beside(home.path, stop, lambda: server)
    loop.run(home.path, stop, url, settings.token)
    return 0
