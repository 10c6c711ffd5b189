"""Which account the servers run as: ours, or an unprivileged one where we are root."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from limbeck.errors import NoUnprivilegedAccount
from schema.folders import make

# An account an administrator made for us wins; the others exist on nearly every system.
CANDIDATES = ("limbeck", "postgres", "nobody")


class SpawnAs(TypedDict, total=False):
    """The keyword arguments of ``subprocess.Popen`` that drop root."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class Account:
    """An existing account of this machine."""

    name: str
    uid: int
    gid: int


def server_account() -> Account | None:
    """The account to drop to, or None where we are not root and servers run as ourselves.

    Raises NoUnprivilegedAccount where we are root and the machine knows none of ``CANDIDATES``.
    """
    if sys.platform == "win32" or os.geteuid() != 0:
        return None
    import pwd

    for name in CANDIDATES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Account(name, entry.pw_uid, entry.pw_gid)
    raise NoUnprivilegedAccount(names=", ".join(CANDIDATES))


def spawn_as(account: Account | None) -> SpawnAs:
    """The ``Popen`` arguments that run a child as ``account``; none where it is None."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def private_folder(path: Path, account: Account | None, mode: int = 0o700) -> Path:
    """Make ``path`` (and missing parents) with ``mode``, owned by ``account`` where one is given."""
    make(path, mode)
    if sys.platform != "win32":
        path.chmod(mode)
        if account is not None:
            os.chown(path, account.uid, account.gid)
    return path
