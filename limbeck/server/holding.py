"""Which server of a home tells where it listens: the one that `up` keeps, else the one that lives."""

from __future__ import annotations

from pathlib import Path

import psutil

from limbeck.server import address
from limbeck.server.alive import trouble


class Holding:
    """One server's claim to ``run/server.json``: agents, `open` and `doctor` ask where it says."""

    def __init__(self, run: Path, url: str, *, kept: bool) -> None:
        """``kept`` says that `up` runs this server, so that it comes before any other. Nothing is written yet."""
        self._run, self._url, self._kept = run, url, kept

    def look(self) -> bool:
        """Say where this server listens unless that is said, or another that comes first is alive; whether it wrote.

        Raises OSError.
        """
        told = address.told(self._run)
        if told == address.own(self._url) or (told is not None and not self._kept and self._lives(*told)):
            return False
        address.write(self._run, self._url)
        return True

    def end(self) -> None:
        """Take back what this server said; what another says stays."""
        if address.told(self._run) == address.own(self._url):
            address.forget(self._run)

    def _lives(self, url: str, pid: int) -> bool:
        return url != self._url and psutil.pid_exists(pid) and trouble(url) is None
