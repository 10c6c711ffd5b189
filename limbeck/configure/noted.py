"""That settings were changed by a command, in the audit log as a change over the server is: the names, never a value.

The database may not run just then. So a line is kept in ``run/changes.jsonl``, and handed over at once where the
database answers, else with the next change or start.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from filelock import FileLock

from limbeck.install.files import read
from limbeck.server import owner
from schema.errors import LimbeckError
from schema.folders import PRIVATE, make

if TYPE_CHECKING:
    from schema.database import Database

FILE = "changes.jsonl"
PATIENCE = 10.0  # seconds for another process that hands over
OPERATION = "change_settings"


def note(home: Path, names: Iterable[str]) -> None:
    """Keep that the account which runs us changed ``names`` now. Raises OSError."""
    from capture.ids import new_id

    at = datetime.now(UTC).isoformat()
    line = json.dumps({"id": str(new_id()), "at": at, "user": owner.name(), "names": sorted(names)})
    make(home / "run", PRIVATE)
    with _alone(home):
        handle = os.open(home / "run" / FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{line}\n")


def hand_over(home: Path, database: Database, client: str) -> int:
    """Put what is kept into the audit log of ``client`` and return how much it was; what it does not take stays.

    A line that was put there already, by one that was killed before it could say so, is put there once. Raises OSError
    and Timeout.
    """
    if not (home / "run" / FILE).exists():
        return 0
    with _alone(home):
        kept = list(_lines(read(home / "run" / FILE) or ""))
        left = [line for line, found in kept if not _put(database, client, found)]
        path = home / "run" / FILE
        if left:
            draft = path.with_name(f".{FILE}.{os.getpid()}")
            draft.touch(mode=0o600)
            draft.write_text("".join(f"{line}\n" for line in left), "utf-8")
            draft.replace(path)
        else:
            path.unlink()
        return len(kept) - len(left)


def hand_over_now(home: Path, url: str, client: str) -> bool:
    """The same to the database at ``url``, for a command; returns whether nothing is left."""
    from sqlalchemy import make_url

    from schema.database import Database

    patient = make_url(url).update_query_dict({"connect_timeout": "5"})
    database = Database(patient.render_as_string(hide_password=False), pooled=False)
    try:
        hand_over(home, database, client)
    except (LimbeckError, OSError):
        return False
    finally:
        database.close()
    return not (home / "run" / FILE).exists()


def _put(database: Database, client: str, found: dict[str, Any]) -> bool:
    from server import audit
    from server.principal import Principal, Right

    who = Principal(client, found["user"], right=Right.ADMIN)
    at, names = datetime.fromisoformat(found["at"]), list(found["names"])
    return audit.note(
        database, who, OPERATION, via="command", at=at, ids=names, outcome="done", ident=found["id"]
    )


def _lines(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The lines and what they say; half a line of one that was killed is left out."""
    for line in text.splitlines():
        try:
            found = json.loads(line)
            whole = UUID(found["id"]), datetime.fromisoformat(found["at"]), found["user"], *found["names"]
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        if all(isinstance(one, str) for one in whole[2:]):
            yield line, found


def _alone(home: Path) -> FileLock:
    return FileLock(home / "run" / f".{FILE}.lock", timeout=PATIENCE, mode=0o600)
