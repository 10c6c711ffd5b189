"""Where everything of one installation lives: its home, and the folders its servers use.

Servers never run as root. Where we are root they run as an existing unprivileged account, which may not be
able to reach the home; so their data, sockets and a copy of their programs then live in a folder of their
own under the system's state directory. Nobody's permissions are changed for it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from limbeck.errors import HomeUnusable, NoSpace
from limbeck.private import private_home
from limbeck.services.account import Account, private_folder, server_account
from limbeck.services.binaries import copy_programs, postgres_bin, valkey_server
from limbeck.services.postgres import PORT, Postgres
from limbeck.services.valkey import Valkey

STATE_ROOT = Path("/var/lib/limbeck")
PASSABLE = 0o711
# A unix socket's path has 108 bytes on Linux and 104 on macOS, the final zero included.
LONGEST_SOCKET = 100
# A new cluster takes 40 MB, its log grows to 512 MB at most; below this a start would only fail later.
BYTES_TO_BEGIN = 300 * 1024**2
BYTES_TO_GO_ON = 64 * 1024**2


@dataclass(frozen=True)
class Home:
    """The folders of one installation; nothing is made before ``prepare``."""

    path: Path
    account: Account | None = None

    @classmethod
    def at(cls, path: Path) -> Home:
        """The home at ``path`` with the account its servers need here."""
        return cls(path, server_account())

    @property
    def key(self) -> str:
        """Twelve hex digits that tell this home from others on the machine."""
        return hashlib.sha256(os.fsencode(self.path.resolve())).hexdigest()[:12]

    @property
    def state(self) -> Path:
        """Where the servers' data lives."""
        return self.path if self.account is None else STATE_ROOT / self.key

    @cached_property
    def sockets(self) -> Path:
        """A 0700 folder for the servers' sockets, with a path that they and their clients can take."""
        folder = (self.path if self.account is None else self.state) / "run"
        short = len(os.fsencode(folder / f".s.PGSQL.{PORT}")) <= LONGEST_SOCKET
        # Postgres's client takes a comma for the end of the first of several hosts.
        if (short and "," not in str(folder)) or sys.platform == "win32":
            return folder
        return Path(f"/tmp/limbeck-{os.geteuid()}-{self.key}")  # noqa: S108 - checked in prepare()

    @property
    def run(self) -> Path:
        """The supervisor's lock and state."""
        return self.path / "run"

    @property
    def logs(self) -> Path:
        """One log a process."""
        return self.path / "log"

    @property
    def spool(self) -> Path:
        """What hooks could not append."""
        return self.path / "spool"

    def prepare(self) -> None:
        """Make the folders, private to us (or to the servers' account).

        Raises HomeUnusable where one cannot be made or written, or is not ours.
        """
        private_home(self.path)
        try:
            for folder in (self.run, self.logs, self.spool):
                private_folder(folder, None)
            probe = self.run / f"probe.{os.getpid()}"
            probe.touch(mode=0o600)
            probe.unlink()
        except OSError as error:
            raise _unusable(self.path, error) from error
        if self.account is not None:
            self._prepare_state()
        if self.sockets.parent != self.state:
            self._claim(self.sockets)

    def need_space(self, embedded: bool) -> None:
        """Raise NoSpace where the disk is so full that a start would only end half-done."""
        wanted = {self.path: BYTES_TO_GO_ON}
        if embedded:
            begun = (self.state / "postgres").is_dir()
            wanted[self.state] = BYTES_TO_GO_ON if begun else BYTES_TO_BEGIN
        for folder, needed in wanted.items():
            free = shutil.disk_usage(folder).free
            if free < needed:
                raise NoSpace(path=folder, free=free // 1024**2, needed=needed // 1024**2)

    def postgres(self) -> Postgres:
        """The embedded Postgres of this home, not started. Raises ServerBinaryMissing."""
        programs = postgres_bin() if self.account is None else copy_programs(self.state / "programs")[0]
        log = self.logs / "postgres.log"
        return Postgres(self.state / "postgres", self.sockets, log, programs=programs, account=self.account)

    def valkey(self) -> Valkey:
        """The embedded Valkey of this home, not started. Raises ServerBinaryMissing."""
        program = valkey_server() if self.account is None else copy_programs(self.state / "programs")[1]
        log = self.logs / "redis.log"
        return Valkey(
            self.state / "redis", self.sockets / "queue", log, program=program, account=self.account
        )

    def remove(self) -> None:
        """Delete the home, and what its servers kept elsewhere. Everything must be stopped."""
        folders = {self.path, self.state, self.sockets}
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)

    def _prepare_state(self) -> None:
        try:
            for folder in (STATE_ROOT, self.state):
                _passable(folder)
            private_folder(self.sockets, self.account)
        except OSError as error:
            raise _unusable(self.state, error) from error

    def _claim(self, folder: Path) -> None:
        """Make ``folder`` in the shared temporary directory ours alone, or refuse it."""
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            found = folder.lstat()
        except OSError as error:
            raise _unusable(folder, error) from error
        owner = os.geteuid() if self.account is None else self.account.uid
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), owner}:
            raise HomeUnusable(path=folder, why="another account made it")
        private_folder(folder, self.account)


def _passable(folder: Path) -> None:
    """Make ``folder`` where it is missing. The servers' account passes through, and sees only its own folders.

    Several starts may be here at once: who finds it made just now finishes it too, and does not rely on its maker.
    """
    folder.mkdir(mode=PASSABLE, exist_ok=True)
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & PASSABLE != PASSABLE:
        folder.chmod(mode | PASSABLE)


def _unusable(folder: Path, error: OSError) -> HomeUnusable:
    """What the system said, and of which path where that is another."""
    why = error.strerror or str(error)
    other = error.filename and os.fspath(error.filename) != os.fspath(folder)
    return HomeUnusable(path=folder, why=f"{why}: {error.filename}" if other else why)
