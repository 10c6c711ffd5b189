"""What runs beside the requests for as long as the server does. Where a part ends that should not, that is told."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from schema.failures import places

log = logging.getLogger("limbeck.server")


class Background:
    """Parts by their names; one that fails takes no other with it, and is missed from then on."""

    def __init__(self) -> None:
        """All is well."""
        self._failed: dict[str, None] = {}

    async def keep(self, name: str, part: Callable[[], Awaitable[None]]) -> None:
        """Run ``part`` until it ends or is cancelled; an error goes to the log, as places, and no further."""
        try:
            await part()
        except Exception as error:
            self.failed(name, error)

    def failed(self, name: str, error: Exception) -> None:
        """Note that ``name`` does not do its work."""
        self._failed[name] = None
        log.error("%s failed: %s", name, places(error))

    def works(self, name: str) -> None:
        """Note that ``name`` does its work, again if it did not."""
        self._failed.pop(name, None)

    @property
    def trouble(self) -> str | None:
        """Which parts do not do their work, in a sentence; None where all do."""
        return f"not running: {', '.join(self._failed)}; see the log" if self._failed else None
