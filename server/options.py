"""What the server is told when it starts: addresses, limits, and values of settings. It reads no setting itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FAILED_A_MINUTE = 30  # signing in with a person's mistakes takes far fewer
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Options:
    """``hosts`` are the names the server answers to beside the loopback ones, without a port.

    ``body_bytes`` bounds one request's body and ``capture_bytes`` that of a batch of events; ``a_minute`` the requests
    with one token, ``failed_a_minute`` the sign-ins that fail from one address (0: no limit); ``threads`` how many
    operations run at once, each with a connection of its own.
    Above ``high_water`` waiting events no batch is taken. ``memory_off`` is a file whose presence hides every tool;
    with ``every_tool`` agents are told of all from the start, else of those in ``server.mcp.core``.
    ``values`` reaches operations as ``Call.options``; whoever made it may keep it up to date.
    """

    database_url: str = field(repr=False)
    redis_url: str | None = field(default=None, repr=False)
    high_water: int = 50_000
    version: str = ""
    hosts: tuple[str, ...] = ()
    body_bytes: int = 1024 * 1024
    capture_bytes: int = 8 * 1024 * 1024
    a_minute: int = 0
    failed_a_minute: int = FAILED_A_MINUTE
    threads: int = 6
    memory_off: Path | None = None
    every_tool: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)


class Joined(Mapping[str, Any]):
    """Values of the server's own over those it is told, which may change while it runs."""

    def __init__(self, own: Mapping[str, Any], told: Mapping[str, Any]) -> None:
        """Neither is copied."""
        self._own, self._told = own, told

    def __getitem__(self, name: str) -> Any:
        """The value as it is now."""
        return self._own[name] if name in self._own else self._told[name]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter({**self._told, **self._own})

    def __len__(self) -> int:
        """How many there are."""
        return len({*self._told, *self._own})
