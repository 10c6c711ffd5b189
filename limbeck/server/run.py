"""The server's process: uvicorn with our application, on a socket that was bound before anything was loaded."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import uvicorn

from capture.brief import OFF
from limbeck.embeddings import embeddings_of
from limbeck.server import address, forwarding
from limbeck.server.embedder import OnDemand
from limbeck.server.errors import AddressTaken
from limbeck.server.holding import Holding
from limbeck.server.values import Values
from limbeck.services.addresses import addresses
from limbeck.services.home import Home
from limbeck.services.memory import give_back
from limbeck.settings import Settings
from schema.failures import places
from schema.logs import quietly
from schema.migrate import require_current
from server.app import create_app
from server.options import Options

LOOK_EVERY = 30.0  # seconds between two looks at whether the model is still needed
TELL_EVERY = 1.0  # seconds between two looks at whether it is told where the server listens
PATIENCE = 10  # seconds that requests under way get at the end

log = logging.getLogger("limbeck.server")


def options_of(settings: Settings, home: Home, embedder: OnDemand) -> Options:
    """Return what the server is told of the settings; ``embedder`` follows them."""
    at = addresses(settings, home)
    return Options(
        database_url=at.database_url,
        redis_url=at.redis_url,
        high_water=settings.queue_high_water,
        version=version("limbeck"),
        hosts=(*settings.server_hosts, settings.server_host),
        a_minute=settings.server_rate,
        memory_off=home.path / OFF,
        every_tool=settings.server_tools == "all",
        values=Values(settings, lambda new: embedder.change(embeddings_of(new))),
    )


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens there. Raises AddressTaken.

    It names TCP: asyncio sends at once (``TCP_NODELAY``) only on what was accepted from such a one, and an answer's
    second write would wait 40 ms for the first one's acknowledgement otherwise.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(256)
    except OSError as error:
        listener.close()
        raise AddressTaken(host=host, port=port, why=error.strerror or error) from error
    return listener


def run(settings: Settings, home: Home, ready: Callable[[], object], *, kept: bool) -> None:
    """Serve until asked to stop; ``ready`` is called once requests are taken. ``kept``: `up` runs this one.

    Raises AddressTaken, and what ``require_current`` raises.
    """
    with bound(settings.server_host, settings.server_port) as listener:
        require_current(addresses(settings, home).database_url)
        embedder = OnDemand(embeddings_of(settings))
        app = create_app(options_of(settings, home, embedder), embedder)
        config = uvicorn.Config(
            app,
            log_config=None,
            log_level=settings.log_level,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.server_proxies),
            forwarded_allow_ips=list(settings.server_proxies),
            timeout_keep_alive=75,
            timeout_graceful_shutdown=PATIENCE,
            limit_concurrency=256,
            ws="none",
        )
        url = address.url_of(settings.server_host, listener.getsockname()[1])

        holding = Holding(home.run, url, kept=kept)

        def started() -> None:
            log.info("listening at %s", url)
            if holding.look():
                forwarding.forget(home.run)  # their links are of before
            else:
                log.info("agents go on asking the server at %s", address.read(home.run))
            give_back()
            ready()

        _Server(config, started, holding, embedder).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Tells when requests are taken, holds its address, and lets the model go when it is not needed."""

    def __init__(
        self, config: uvicorn.Config, begun: Callable[[], object], holding: Holding, embedder: OnDemand
    ) -> None:
        super().__init__(config)
        self._begun, self._holding, self._embedder = begun, holding, embedder
        self._watches: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._begun()
            self._watches = [asyncio.create_task(each) for each in (self._let_go(), self._hold())]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Here, because the signal that asked for it ends the process right after.
        for watch in self._watches:
            watch.cancel()
        self._holding.end()
        await super().shutdown(sockets)

    async def _let_go(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                self._embedder.let_go()
            except Exception as error:  # memory that is not given back now is given back later
                log.error("the model stays: %s", places(error))

    async def _hold(self) -> None:
        while True:
            await asyncio.sleep(TELL_EVERY)
            try:
                if await asyncio.to_thread(self._holding.look):
                    log.info("agents are told again to ask here")
            except OSError as error:  # a full disk today may have room in a second
                log.warning("agents cannot be told where the server listens: %s", error.strerror)


def log_to(level: str) -> None:
    """Send what the server says to standard error, one line each."""
    quietly(level)
    for name in ("mcp", "alembic", "uvicorn"):
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level.upper())))


def ready_file(path: Path | None) -> Callable[[], None]:
    """Return what makes the file that says that requests are taken."""

    def touch() -> None:
        if path is not None:
            path.touch(mode=0o600)

    return touch
