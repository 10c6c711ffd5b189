"""The owner's token: made for whoever runs `limbeck up`, kept in a file that only they can read."""

from __future__ import annotations

import contextlib
import getpass
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schema.database import Database
    from server.principal import Principal

TOKEN = "token"  # noqa: S105 - a file's name
LABEL = "owner"


def name() -> str:
    """Return the name of the account that runs us; the server keeps it as the user."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return f"uid-{os.getuid()}" if sys.platform != "win32" else "owner"


def principal(client: str) -> Principal:
    """Return whom a process of the owner's own speaks for: every right on the client's data."""
    from server.principal import Principal, Right

    return Principal(client, name(), right=Right.ADMIN)


def read(home: Path) -> str | None:
    """Return the token kept in ``home``, or None where there is none."""
    try:
        return (home / TOKEN).read_text("ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def ensure(home: Path, database: Database, client: str, now: datetime) -> bool:
    """Keep a token of the owner's that holds in ``home``; returns whether a new one was made.

    One that is lost, revoked or of another client is replaced; earlier ones of the owner's end then. Raises
    DatabaseUnavailable and OSError.
    """
    from schema.errors import NotFound
    from server.principal import Right
    from server.tokens import store, verify

    text = read(home)
    with database.tenant(client) as connection:
        kept = None if text is None else verify.kept(connection, text, client)
        if kept is not None and kept.holds(now) and kept.principal.user == name():
            return False
        with contextlib.suppress(NotFound):
            store.revoke(connection, client, LABEL, now)
        made = store.create(connection, client, name=LABEL, user=name(), right=Right.ADMIN, now=now)
        # Written before the commit: a token on disk that the database does not know is replaced by the next start.
        write(home, made.text)
    return True


def write(home: Path, text: str) -> None:
    """Replace the file as one act, readable by its owner alone."""
    partial = home / f".{TOKEN}.{os.getpid()}"
    partial.unlink(missing_ok=True)
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    partial.replace(home / TOKEN)
