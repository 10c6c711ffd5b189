"""One Valkey server from the wheel's program: the queue, on a unix socket inside a 0700 folder.

What a kill may lose: nothing. Under ``appendfsync no`` every append is handed to the system before its reply.
Under ``everysec`` it may wait in the process for up to two seconds while a flush is slow, so a kill right after
the reply could lose it.
What a power cut may lose: what was appended since the last flush. ``flush``, called once a second from
outside, keeps that to about a second without ever standing between an append and its reply. ``always`` would
lose nothing, but while a database flushes to the same disk one append in ten then took longer than the two
milliseconds a hook waits (worst 25 ms; without it 0.6 in a hundred, worst 6 ms), and such an event is sent twice.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import psutil

from limbeck.errors import ServerStartFailed, ServerStopFailed
from limbeck.services.account import Account, private_folder
from limbeck.services.child import Identity, gone, last_lines, spawn
from limbeck.services.resp import call

CONFIGURATION = {
    "port": "0",
    "unixsocketperm": "700",
    "appendonly": "yes",
    "appendfsync": "no",
    "aof-load-truncated": "yes",
    "save": "",
    "maxmemory": "256mb",
    # A full queue refuses and the hooks spool; evicting would lose what was accepted.
    "maxmemory-policy": "noeviction",
    "daemonize": "no",
    "crash-log-enabled": "no",
    "always-show-logo": "no",
}


class Valkey:
    """A server: its data folder, its socket, its log and the account it runs as."""

    def __init__(
        self, data: Path, sock: Path, log: Path, *, program: Path, account: Account | None = None
    ) -> None:
        """``program`` is valkey-server, executable by ``account``; ``sock`` is at most 100 bytes long."""
        self.data, self.socket, self.log = data, sock, log
        self._program, self._account = program, account
        self._process: subprocess.Popen[bytes] | None = None
        self._flushed: dict[Path, int] = {}

    def url(self, database: int = 0) -> str:
        """The redis-py URL of one of the sixteen databases."""
        query = f"?db={database}" if database else ""
        return f"unix://{quote(str(self.socket), safe='/')}{query}"

    def broker_url(self, database: int = 0) -> str:
        """The same as Celery spells it."""
        return f"redis+socket://{quote(str(self.socket), safe='/')}?virtual_host={database}"

    def start(
        self, patience: float = 60.0, pause: Callable[[float], object] = time.sleep
    ) -> subprocess.Popen[bytes]:
        """Start, wait up to ``patience`` seconds until it answers; returns the child, which the caller reaps.

        Raises ServerStartFailed.
        """
        private_folder(self.data, self._account)
        private_folder(self.socket.parent, self._account)
        self._pidfile.unlink(
            missing_ok=True
        )  # the server's account may not be able to write over a stale one
        command: list[str | Path] = [self._program, "--dir", self.data, "--unixsocket", self.socket]
        command += ["--pidfile", self._pidfile]
        for name, value in CONFIGURATION.items():
            command += [f"--{name}", value]
        began = time.monotonic()
        process = self._process = spawn(command, log=self.log, account=self._account, env={"LC_ALL": "C"})
        while process.poll() is None:
            if self.answers():
                return process
            if time.monotonic() - began > patience:
                self.stop()
                raise ServerStartFailed(name="Valkey", why=f"no answer in {patience:.0f} s", log=self.log)
            pause(0.01)
        raise ServerStartFailed(name="Valkey", why=last_lines(self.log), log=self.log)

    def answers(self) -> bool:
        """Whether the server answers a PING (it does not while it still reads its log)."""
        try:
            return call(self.socket, "PING") == b"PONG"
        except OSError:
            return False

    def flush(self) -> None:
        """Have the disk take what was appended; cheap where nothing was. A vanished file was rewritten."""
        for path in (self.data / "appendonlydir").glob("*.aof"):
            with contextlib.suppress(FileNotFoundError), path.open("rb") as stream:
                changed = os.fstat(stream.fileno()).st_mtime_ns
                if self._flushed.get(path) != changed:
                    os.fsync(stream.fileno())
                    self._flushed[path] = changed

    def running(self) -> psutil.Process | None:
        """The server of this folder, also one that an earlier process started."""
        with contextlib.suppress(OSError, ValueError, psutil.Error):
            identity = Identity.of(int(self._pidfile.read_text()))
            process = identity.process() if identity else None
            # Valkey writes the file at its start, so a process younger than the file is somebody else's.
            if process and process.create_time() <= self._pidfile.stat().st_mtime + 5:
                return process if process.name().startswith("valkey") else None
        return None

    def stop(self, seconds: float = 20.0) -> None:
        """Orderly shutdown. Nothing where it does not run. Raises ServerStopFailed."""
        process = self.running()
        pid = process.pid if process else None
        if self._process is not None and self._process.poll() is None:
            pid = self._process.pid
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
            if not gone(pid, seconds):
                raise ServerStopFailed(name="Valkey", pid=pid, seconds=seconds)
        if self._process is not None:
            self._process.wait()
            self._process = None

    @property
    def _pidfile(self) -> Path:
        return self.data / "valkey.pid"
