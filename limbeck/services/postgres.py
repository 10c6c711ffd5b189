"""One Postgres server from the wheel's programs, in a folder of its own.

It listens on a unix socket inside a 0700 folder (local trust: whoever reaches the socket already is this
account or root), or on loopback with a password where sockets do not exist.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil

from limbeck.errors import ProcessorTooOld, ServerStartFailed, ServerStopFailed
from limbeck.services.account import Account, private_folder, spawn_as
from limbeck.services.child import gone, last_lines, last_of, spawn

OWNER = "limbeck"
APPLICATION = "limbeck_app"
DATABASE = "limbeck"
PORT = 5432

TRY_VECTOR = "SELECT '[1,2,3]'::vector <=> '[3,2,1]'"

# Commits are synchronous: what ingest acknowledges is on the disk. The rest keeps a laptop's memory small.
CONFIGURATION = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "synchronous_commit": "on",
    "fsync": "on",
    "shared_buffers": "96MB",
    "work_mem": "8MB",
    "maintenance_work_mem": "128MB",
    "max_connections": "60",
    # A burst writes a page whole after every checkpoint: the fewer there are of them, the less an event costs.
    "max_wal_size": "1GB",
    "checkpoint_timeout": "10min",
    # Statistics of a table that grows fast follow within seconds: until then its plans are made for an empty one.
    "autovacuum_naptime": "5s",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "jit": "off",
    "huge_pages": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # A statement in the log could carry a person's text: neither statements nor their values are logged.
    "log_min_messages": "log",  # an ERROR quotes the value that it could not read
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
}


@dataclass(frozen=True, slots=True)
class Loopback:
    """A TCP port on 127.0.0.1 with the superuser's password."""

    port: int
    password: str


class Postgres:
    """A cluster: its data, its socket folder (or loopback), its log and the account it runs as."""

    def __init__(
        self,
        data: Path,
        sockets: Path,
        log: Path,
        *,
        programs: Path,
        account: Account | None = None,
        loopback: Loopback | None = None,
    ) -> None:
        """``programs`` is the folder with postgres and initdb, readable by ``account``."""
        self.data, self.sockets, self.log = data, sockets, log
        self._programs, self._account, self._loopback = programs, account, loopback
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, role: str = OWNER, database: str = DATABASE) -> str:
        """The SQLAlchemy URL (psycopg driver) of ``database`` as ``role``."""
        if self._loopback is not None:
            password = quote(self._loopback.password, safe="")
            return f"postgresql+psycopg://{role}:{password}@127.0.0.1:{self._loopback.port}/{database}"
        return f"postgresql+psycopg://{role}@/{database}?host={quote(str(self.sockets), safe='/')}"

    def init(self) -> None:
        """Make the cluster where there is none yet. A half-made one from a killed run is made again.

        Raises ServerStartFailed with initdb's own last line.
        """
        private_folder(self.sockets, self._account)
        if (self.data / "PG_VERSION").is_file():
            return
        partial = self.data.with_name(f"{self.data.name}.new")
        shutil.rmtree(partial, ignore_errors=True)
        private_folder(partial, self._account)
        command: list[str | Path] = [
            self._programs / "initdb",
            "-D",
            partial,
            "-U",
            OWNER,
            "--encoding=UTF8",
            "--no-instructions",
        ]
        command += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        command += ["--auth-local=trust", "--auth-host=scram-sha-256"]
        with self._password_file() as password_file:
            if password_file:
                command += [f"--pwfile={password_file}"]
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                cwd="/",
                env=self._environment(),
                check=False,
                **spawn_as(self._account),
            )
        if done.returncode != 0:
            shutil.rmtree(partial, ignore_errors=True)
            raise ServerStartFailed(name="Postgres", why=last_of(done.stderr), log=self.log)
        shutil.rmtree(self.data, ignore_errors=True)
        partial.rename(self.data)

    def start(
        self, patience: float = 90.0, pause: Callable[[float], object] = time.sleep
    ) -> subprocess.Popen[bytes]:
        """Start the server and wait until it answers; returns the child, which the caller reaps.

        After a crash the first start may find the dead server's lock (an unreaped process), so a start
        that ends at once is tried again for 10 seconds; ``patience`` (seconds) bounds crash recovery.
        ``pause`` waits between looks and may raise to give up; the server is then left to ``stop``.
        Raises ServerStartFailed.
        """
        began = time.monotonic()
        while True:
            self._clear_stale_locks()
            process = self._process = self._launch()
            while process.poll() is None:
                if self.answers():
                    return process
                if time.monotonic() - began > patience:
                    self.stop()
                    raise ServerStartFailed(
                        name="Postgres", why=f"no answer in {patience:.0f} s", log=self.log
                    )
                pause(0.03)
            if time.monotonic() - began > 10:
                raise ServerStartFailed(name="Postgres", why=last_lines(self.log), log=self.log)
            pause(0.3)

    def answers(self) -> bool:
        """Whether the server accepts connections."""
        command: list[str | Path] = [
            self._programs / "pg_isready",
            "-q",
            "-t",
            "2",
            "-U",
            OWNER,
            "-d",
            "postgres",
        ]
        if self._loopback is not None:
            command += ["-h", "127.0.0.1", "-p", str(self._loopback.port)]
        else:
            command += ["-h", self.sockets, "-p", str(PORT)]
        return (
            subprocess.run(command, capture_output=True, env=self._environment(), check=False).returncode == 0
        )

    def make_database(self) -> bool:
        """Make our database where it is not there yet; returns whether it was made. The server must answer.

        Before, pgvector is tried in a transaction that is thrown away: the wheel's build uses instructions
        that not every processor has. Raises ProcessorTooOld and ServerStartFailed.
        """
        found = self._psql("postgres", "SELECT datname FROM pg_database")
        if DATABASE in found.stdout.split():
            return False
        tried = self._psql("postgres", "BEGIN", "CREATE EXTENSION vector", TRY_VECTOR, "ROLLBACK")
        if tried.returncode != 0:
            raise ProcessorTooOld(why=last_of(tried.stderr))
        made = self._psql("postgres", f"CREATE DATABASE {DATABASE} OWNER {OWNER} TEMPLATE template0")
        if made.returncode != 0:
            raise ServerStartFailed(name="Postgres", why=last_of(made.stderr), log=self.log)
        return True

    def _psql(self, database: str, *statements: str) -> subprocess.CompletedProcess[str]:
        command: list[str | Path] = [self._programs / "psql", "-XqAtw", "-v", "ON_ERROR_STOP=1"]
        command += ["-d", self.url(OWNER, database).replace("+psycopg", "")]
        for statement in statements:
            command += ["-c", statement]
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", env=self._environment(), check=False
        )

    def running(self) -> psutil.Process | None:
        """The postmaster of this cluster, also one that an earlier process started."""
        lock = _lock_lines(self.data / "postmaster.pid")
        if len(lock) < 3 or not lock[0].isdigit() or not lock[2].isdigit():
            return None
        return _postmaster(int(lock[0]), float(lock[2]))

    def stop(self, seconds: float = 30.0) -> None:
        """Fast shutdown (open transactions roll back, data is flushed). Nothing where it does not run.

        Raises ServerStopFailed.
        """
        process = self.running()
        pid = process.pid if process else None
        if pid is None and self._process is not None and self._process.poll() is None:
            pid = self._process.pid
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
            if not gone(pid, seconds):
                raise ServerStopFailed(name="Postgres", pid=pid, seconds=seconds)
        if self._process is not None:
            self._process.wait()
            self._process = None

    def _launch(self) -> subprocess.Popen[bytes]:
        settings = dict(CONFIGURATION)
        port = PORT
        if self._loopback is not None:
            settings["listen_addresses"], port = "127.0.0.1", self._loopback.port
            settings["unix_socket_directories"] = ""
        else:
            settings["unix_socket_directories"] = '"' + str(self.sockets).replace('"', '""') + '"'
        command: list[str | Path] = [self._programs / "postgres", "-D", self.data, "-p", str(port)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        return spawn(command, log=self.log, account=self._account, env=self._environment())

    def _clear_stale_locks(self) -> None:
        """Remove locks whose pid now belongs to another program: Postgres itself would believe them."""
        if self.running() is not None:
            return
        for lock in (self.data / "postmaster.pid", self.sockets / f".s.PGSQL.{PORT}.lock"):
            lines = _lock_lines(lock)
            if lines and lines[0].isdigit() and psutil.pid_exists(int(lines[0])):
                lock.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _password_file(self) -> Iterator[Path | None]:
        """The superuser's password in a 0600 file that initdb can read, for as long as it needs it."""
        if self._loopback is None:
            yield None
            return
        path = self.sockets / "password"
        path.touch(mode=0o600)
        try:
            path.write_text(self._loopback.password)
            if self._account is not None:
                os.chown(path, self._account.uid, self._account.gid)
            yield path
        finally:
            path.unlink()

    @staticmethod
    def _environment() -> dict[str, str]:
        # Nothing of the caller's environment (PGPORT, PGOPTIONS, LC_ALL, ...) reaches the server.
        return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


def _lock_lines(lock: Path) -> list[str]:
    try:
        return [line.strip() for line in lock.read_text(errors="replace").splitlines()]
    except OSError:
        return []


def _postmaster(pid: int, started: float) -> psutil.Process | None:
    """The process ``pid`` where it is a postgres that began when the lock says (Unix seconds)."""
    try:
        process = psutil.Process(pid)
        same = process.name().startswith("postgres") and process.create_time() <= started + 5
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None
