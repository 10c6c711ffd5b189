"""MCP that is loaded at its first request: the library is a quarter of the memory of a server that no agent asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio
from starlette.types import Receive, Scope, Send

from server.background import Background
from server.errors import Unavailable

if TYPE_CHECKING:
    from server.mcp.endpoint import Endpoint

NAME = "MCP"


class Late:
    """An ASGI application in whose place ``make``'s stands from the first request on.

    Where it cannot be made, or ends, whoever waits is told so, and the next request tries again.
    """

    def __init__(self, make: Callable[[], Endpoint], background: Background) -> None:
        """Nothing is made yet; ``background`` is told how it goes."""
        self._make, self._background = make, background
        self._endpoint: Endpoint | None = None
        self._wanted, self._ready = anyio.Event(), anyio.Event()

    async def run(self) -> None:
        """Wait until it is wanted, then keep it running until this is cancelled."""
        while True:
            await self._wanted.wait()
            try:
                await self._serve()
            except Exception as error:
                self._background.failed(NAME, error)
            self._endpoint = None
            self._ready.set()
            self._wanted, self._ready = anyio.Event(), anyio.Event()

    async def _serve(self) -> None:
        endpoint = await anyio.to_thread.run_sync(self._make)
        async with endpoint.running():
            self._endpoint = endpoint
            self._background.works(NAME)
            self._ready.set()
            await anyio.sleep_forever()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, the first time after the loading. Raises Unavailable where that failed."""
        self._wanted.set()
        await self._ready.wait()
        if self._endpoint is None:
            raise Unavailable
        await self._endpoint.asgi(scope, receive, send)
