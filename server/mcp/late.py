"""MCP that is loaded at its first request: the library is a quarter of the memory of a server that no agent asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio
from starlette.types import Receive, Scope, Send

if TYPE_CHECKING:
    from server.mcp.endpoint import Endpoint


class Late:
    """An ASGI application in whose place ``make``'s stands from the first request on."""

    def __init__(self, make: Callable[[], Endpoint]) -> None:
        """Nothing is made yet."""
        self._make = make
        self._endpoint: Endpoint | None = None
        self._wanted, self._ready = anyio.Event(), anyio.Event()

    async def run(self) -> None:
        """Wait until it is wanted, then keep it running until this is cancelled."""
        await self._wanted.wait()
        self._endpoint = await anyio.to_thread.run_sync(self._make)
        async with self._endpoint.running():
            self._ready.set()
            await anyio.sleep_forever()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, the first time after the loading."""
        self._wanted.set()
        await self._ready.wait()
        if self._endpoint is not None:
            await self._endpoint.asgi(scope, receive, send)
