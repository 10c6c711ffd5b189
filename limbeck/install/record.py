"""``installed.json`` in the home: where hooks were put and what it takes to leave those places as they
were."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from limbeck.install import files
from limbeck.install.errors import InstallationBusy, SettingsInvalid, SettingsNotWritable
from limbeck.install.settings import Trace
from limbeck.private import private_home

PATIENCE = 30  # seconds: the other builds a bundle, on a slow disk


@dataclass(frozen=True, slots=True)
class Place:
    """One file (or git hooks folder) that holds hooks of ``agent``. ``folders`` are those made for it,
    outermost first; ``created`` says that the file was not there."""

    agent: str
    path: str
    created: bool = False
    folders: tuple[str, ...] = ()
    trace: Trace = field(default_factory=Trace)


@dataclass(frozen=True, slots=True)
class Record:
    """Everything installed from one home, the interpreter its commands name, and the version they point
    at."""

    interpreter: str = ""
    version: str = ""
    places: tuple[Place, ...] = ()

    def place(self, agent: str, path: Path) -> Place | None:
        """Return what is known of a place, or None."""
        return next((p for p in self.places if (p.agent, p.path) == (agent, str(path))), None)

    def having(self, place: Place) -> Record:
        """Return the record with ``place`` in it, in the stead of what was known of it."""
        return replace(self, places=(*self.lacking(place.agent, Path(place.path)).places, place))

    def lacking(self, agent: str, path: Path) -> Record:
        """Return the record without a place."""
        return replace(self, places=tuple(p for p in self.places if (p.agent, p.path) != (agent, str(path))))


def load(home: Path) -> Record:
    """Read the record of ``home``; an empty one where there is none. Raises ``SettingsInvalid``."""
    path = home / "installed.json"
    text = files.read(path)
    if text is None:
        return Record()
    try:
        raw = json.loads(text)
        places = tuple(_place(item) for item in raw["places"])
        return Record(raw["interpreter"], raw.get("version", ""), places)
    except (ValueError, KeyError, TypeError) as error:
        raise SettingsInvalid(path=path, format="as a record of installations", why=error) from None


def save(home: Path, record: Record) -> None:
    """Write the record of ``home`` in one step."""
    path = home / "installed.json"
    files.replace(path, files.read(path), json.dumps(asdict(record), indent=1, ensure_ascii=False) + "\n")


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """Keep two installations from the same home apart; waits at most half a minute for the other.

    Raises ``InstallationBusy``.
    """
    private_home(home)
    lock = FileLock(home / "installed.lock", mode=files.NEW_FILE)
    try:
        lock.acquire(timeout=PATIENCE)
    except Timeout:
        raise InstallationBusy(path=home, seconds=PATIENCE) from None
    except OSError as error:
        raise SettingsNotWritable(path=home / "installed.lock", why=error.strerror) from None
    try:
        yield
    finally:
        lock.release()


def _place(raw: dict[str, Any]) -> Place:
    trace = Trace(**{**raw["trace"], "added": tuple(raw["trace"]["added"])})
    return Place(raw["agent"], raw["path"], raw["created"], tuple(raw["folders"]), trace)
