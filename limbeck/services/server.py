"""The server as a child of the supervisor. Where its address is taken it is not started, and that is told."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from limbeck.server.errors import AddressTaken
from limbeck.services.worker import Worker

SERVER = "server"


class Server(Worker):
    """`limbeck serve` in a session of its own; it writes ``ready`` when it takes requests."""

    title: ClassVar[str] = "The server"
    command: ClassVar[str] = "serve"

    def __init__(self, ready: Path, log: Path, environment: dict[str, str], host: str, port: int) -> None:
        """It will listen at ``host`` and ``port``; 0 is any free one."""
        super().__init__(ready, log, environment, ())
        self._host, self._port = host, port

    def move(self, host: str, port: int) -> None:
        """Look for a free ``host`` and ``port`` at the next start."""
        self._host, self._port = host, port

    def start(
        self, patience: float = 90.0, pause: Callable[[float], object] = time.sleep
    ) -> subprocess.Popen[bytes]:
        """Start and wait until it takes requests. Raises AddressTaken before anything is started."""
        free(self._host, self._port)
        return super().start(patience, pause)


def free(host: str, port: int) -> None:
    """Raise AddressTaken unless one could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError as error:
            raise AddressTaken(host=host, port=port, why=error.strerror or error) from error
