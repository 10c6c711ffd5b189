"""Run a registered hook as its agent would, with a sample, and follow the event to the database.

The sample is the start of a session without an id (for git: a rewrite of commits that do not exist), which
leaves one line in the ledger and nothing else.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from limbeck.doctor.finding import Finding, broken, ok, warning
from limbeck.install.command import Command
from schema.errors import LimbeckError

if TYPE_CHECKING:
    from schema.database import Database

CHECK = "hook"
HOOK_SECONDS = 5.0
PATIENCE = 20.0  # seconds until an event must be in the database
LOOK_EVERY = 0.1
_NOWHERE = "0" * 40


@dataclass(frozen=True, slots=True)
class Run:
    """How one run of a hook went: its exit code (None where it did not end), what it printed, seconds."""

    code: int | None
    printed: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Call:
    """One registered command, the place it is registered in (as told to a person), and the folder to run it in."""

    command: Command
    where: str
    folder: Path


def sample(agent: str, folder: Path) -> tuple[list[str], bytes]:
    """Return the further arguments and the standard input of a sample event in ``folder``."""
    if agent == "git":
        return ["post-rewrite", "amend"], f"{_NOWHERE} {_NOWHERE}\n".encode()
    event = "sessionStart" if agent == "cursor" else "SessionStart"
    payload: dict[str, object] = {"hook_event_name": event, "source": "startup", "cwd": str(folder)}
    if agent == "cursor":
        payload |= {"workspace_roots": [str(folder)], "model": "sample"}
    return [], json.dumps(payload).encode()


def run(command: Command, folder: Path) -> Run:
    """Run a hook command once in ``folder`` with its agent's sample."""
    arguments, data = sample(command.agent, folder)
    start = time.monotonic()
    try:
        done = subprocess.run(
            [*command.parts, *arguments],
            input=data,
            capture_output=True,
            timeout=HOOK_SECONDS,
            cwd=folder,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Run(None, str(error), time.monotonic() - start)
    said = done.stderr if _is_brief(done.stdout) else done.stdout + done.stderr
    return Run(done.returncode, said.decode("utf-8", "replace").strip(), time.monotonic() - start)


def _is_brief(said: bytes) -> bool:
    """Whether a hook said what a session begins with, which it does on purpose."""
    try:
        value = json.loads(said)
    except ValueError:
        return False
    return isinstance(value, dict) and value.keys() in ({"hookSpecificOutput"}, {"additional_context"})


def followed(calls: Iterable[Call], arrival: Callable[[str, int], str | None]) -> list[Finding]:
    """Make every call and look for its event. ``arrival`` takes the event's kind and the time before it
    (Unix milliseconds), and returns what became of it, or None where it did not arrive."""
    findings = []
    for call in calls:
        command, where = call.command, call.where
        before = int(time.time() * 1000)
        went = run(command, call.folder)
        if went.code != 0 or went.printed:
            said = went.printed.splitlines()[0][:200] if went.printed else f"exit code {went.code}"
            what = f"The hook in {where} does not run cleanly: {said}"
            findings.append(broken(CHECK, what, f"Run: limbeck install {command.agent}"))
            continue
        try:
            disposition = arrival("rewrite" if command.agent == "git" else "session.start", before)
        except LimbeckError as error:
            what = f"The hook in {where} ran, but the database cannot be asked: {error}"
            return [*findings, broken(CHECK, what, "Run: limbeck up")]
        if disposition is None:
            what = f"The hook in {where} ran, but its event did not reach the database in time."
            do = "See `limbeck status`: is the worker running, and does the spool or the queue grow?"
            findings.append(broken(CHECK, what, do))
        elif disposition == "quarantined":
            what = f"The event of the hook in {where} was quarantined."
            findings.append(warning(CHECK, what, "See `limbeck status` for the reason."))
        else:
            took = f"ran in {went.seconds * 1000:.0f} ms and its event is in the database ({disposition})"
            findings.append(ok(CHECK, f"{command.agent}: the hook in {where} {took}"))
    return findings


class Ledger:
    """Looks for events in the ledger by the time in their ids."""

    def __init__(self, database: Database, client: str) -> None:
        """Ask ``database`` about ``client``."""
        self._database = database
        self._client = client
        self._seen: set[str] = set()
        self._patience = PATIENCE

    def arrival(self, kind: str, since: int) -> str | None:
        """Wait until an event of ``kind`` made at or after ``since`` (Unix milliseconds) that belongs to no
        session is there; return its disposition, or None after ``PATIENCE``. Raises DatabaseUnavailable."""
        end = time.monotonic() + self._patience
        while True:
            for event, disposition in self._rows(kind, since):
                if event not in self._seen:
                    self._seen.add(event)
                    return disposition
            if time.monotonic() > end:
                self._patience = 1.0  # the first wait was long enough for the others too
                return None
            time.sleep(LOOK_EVERY)

    def _rows(self, kind: str, since: int) -> list[tuple[str, str]]:
        from sqlalchemy import text

        statement = text("""
            SELECT event_id::text, disposition FROM ledger
            WHERE client = :client AND event_id >= CAST(:low AS uuid) AND kind = :kind AND mirror IS NULL
            ORDER BY event_id
        """)
        low = f"{since:012x}"
        values = {"client": self._client, "kind": kind, "low": f"{low[:8]}-{low[8:]}-7000-8000-000000000000"}
        with self._database.tenant(self._client) as connection:
            return [(row.event_id, row.disposition) for row in connection.execute(statement, values)]
