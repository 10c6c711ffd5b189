"""Keeps the briefs that sessions begin with: asked of the server with the owner's token, written beside the hooks."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from capture.brief import FOLDER, Brief, file_name, write
from limbeck.server.connections import Connections, Unreachable
from limbeck.ship.loop import Stop

LOOK_EVERY = 5.0
SLOWEST = 60.0
PATH = "/v1/briefs"

log = logging.getLogger("limbeck.ship")

Where = Callable[[], tuple[str, str] | None]


class Briefs:
    """The briefs of one home. ``where`` returns the server's address and a token for it, None where none runs."""

    def __init__(self, home: Path, where: Where) -> None:
        """Nothing is asked yet."""
        self._folder, self._where = home / FOLDER, where
        self._known: dict[str, str] = {}
        self._keys: dict[str, list[str]] = {}
        self._files: dict[str, list[str]] = {}

    def look(self) -> int:
        """Ask what changed and write it; return how many files were written or removed. Raises Unreachable, OSError."""
        found = self._where()
        if found is None:
            raise Unreachable("no server runs here yet")
        if any(not self._there(project) for project in self._known):
            self._known.clear()  # somebody took copies away, as forgetting does
        connection = Connections(*found, PATH)
        try:
            status, body = connection.post(json.dumps({"known": self._known}).encode())
        finally:
            connection.close()
        if status != 200:
            raise Unreachable(f"the server answered {status}")
        return self._take(json.loads(body))

    def _there(self, project: str) -> bool:
        """Whether the files that were written for ``project`` are."""
        return all((self._folder / file_name(key)).exists() for key in self._files.get(project, ()))

    def _take(self, answer: dict[str, Any]) -> int:
        changed = 0 if self._known else self._sweep({key for one in answer["briefs"] for key in one["keys"]})
        for one in answer["briefs"]:
            brief = Brief(one["brief"], one["fenced"]) if one["brief"] else None
            for key in {*one["keys"], *self._keys.get(one["project"], ())}:
                write(str(self._folder), key, brief if key in one["keys"] else None)
                changed += 1
            self._known[one["project"]], self._keys[one["project"]] = one["stamp"], one["keys"]
            self._files[one["project"]] = one["keys"] if brief else []
        for project in set(self._known) - set(answer["projects"]):
            for key in self._keys.pop(project):
                write(str(self._folder), key, None)
                changed += 1
            del self._known[project], self._files[project]
        return changed

    def _sweep(self, keys: set[str]) -> int:
        """Remove what an earlier run left for projects that have no brief any more."""
        names = {file_name(key) for key in keys}
        left = [path for path in self._folder.glob("*") if path.name not in names]
        for path in left:
            path.unlink(missing_ok=True)
        return len(left)


def run(home: Path, stop: Stop, where: Where) -> None:
    """Keep the briefs of ``home`` until ``stop`` is set; a server that is down is waited for."""
    briefs, wait = Briefs(home, where), LOOK_EVERY
    while not stop.is_set():
        try:
            briefs.look()
            wait = LOOK_EVERY
        except (Unreachable, OSError, ValueError, KeyError, TypeError) as error:
            wait = min(wait * 2, SLOWEST)
            log.info("briefs: %s", error)
        stop.wait(wait)


def beside(home: Path, stop: Stop, where: Where) -> threading.Thread:
    """Start ``run`` in a thread that ends with ``stop``, or with the process."""
    thread = threading.Thread(target=run, args=(home, stop, where), name="briefs", daemon=True)
    thread.start()
    return thread
