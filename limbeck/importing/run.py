"""Import transcripts: read, redact, send in order, remember what is done. A second run adds nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from capture.config import HookConfig
from capture.envelope import encode
from capture.errors import OversizedEnvelope
from capture.event import Event
from capture.observation import envelope
from capture.project import Project, find
from limbeck.importing.files import Transcript
from limbeck.importing.recorded import BrokenLine, Recorded
from limbeck.ship.sender import Sender

BATCH = 200
STILL_OPEN_S = 30 * 60
SHORT_TEXT = 4000

Progress = Callable[[Transcript, int], None]


@dataclass(slots=True)
class Imported:
    """What an import came to; ``broken`` are pairs of file and line number that were no record."""

    files: int = 0
    unchanged: int = 0
    events: int = 0
    left_out: int = 0
    broken: list[tuple[str, int]] = field(default_factory=list)


@dataclass(slots=True)
class Done:
    """Which files were imported whole, by size and time of change: kept in the home, so that a run can resume."""

    path: Path
    marks: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Done:
        """Read the record; a missing or broken one only means that files are read again."""
        try:
            value = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            value = {}
        return cls(path, value if isinstance(value, dict) else {})

    def has(self, transcript: Transcript) -> bool:
        """Whether this file was imported as it is now."""
        return self.marks.get(str(transcript.path)) == self._mark(transcript)

    def add(self, transcript: Transcript) -> None:
        """Remember a file; written at once, so that an interrupted import goes on where it was."""
        self.marks[str(transcript.path)] = self._mark(transcript)
        draft = self.path.with_suffix(".new")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(self.marks), "utf-8")
        draft.replace(self.path)

    def _mark(self, transcript: Transcript) -> list[int]:
        found = transcript.path.stat()
        return [found.st_size, found.st_mtime_ns]


def run(
    transcripts: list[Transcript],
    config: HookConfig,
    sender: Sender,
    done: Done,
    *,
    progress: Progress = lambda _transcript, _bytes: None,
    clock: Callable[[], float] = time.time,
) -> Imported:
    """Send every event of ``transcripts``; ``progress`` is told the bytes read of each.

    Raises QueueUnavailable: what was sent stays, files that were not finished are read again the next time.
    """
    came_to = Imported()
    for transcript in transcripts:
        if done.has(transcript):
            came_to.unchanged += 1
            progress(transcript, transcript.path.stat().st_size)
            continue
        _file(transcript, config, sender, came_to, progress, clock)
        done.add(transcript)
        came_to.files += 1
    return came_to


def _file(
    transcript: Transcript,
    config: HookConfig,
    sender: Sender,
    came_to: Imported,
    progress: Progress,
    clock: Callable[[], float],
) -> None:
    batch: list[bytes] = []
    sessions: dict[tuple[str, str], Recorded] = {}
    for found in transcript.format.read(_counted(transcript, progress), transcript.subagent_type):
        if isinstance(found, BrokenLine):
            came_to.broken.append((str(transcript.path), found.number))
            continue
        if found.event.session:
            sessions[found.event.agent, found.event.session] = found
        _add(batch, found, config, came_to)
        if len(batch) >= BATCH:
            sender.send(batch)
            batch.clear()
    for last in sessions.values():
        if clock() - last.at / 1000 > STILL_OPEN_S:
            _add(batch, _end(last), config, came_to)
    if batch:
        sender.send(batch)


def _counted(transcript: Transcript, progress: Progress) -> Iterator[bytes]:
    for line in transcript.lines():
        progress(transcript, len(line))
        yield line


def _end(last: Recorded) -> Recorded:
    """The end of a session whose last record is old, so that it is distilled."""
    event = Event(last.event.agent, "import", "session.end", session=last.event.session, cwd=last.event.cwd)
    event.extra = {"reason": "import"}
    return Recorded(event, last.at, f"end {last.seed}")


def _add(batch: list[bytes], found: Recorded, config: HookConfig, came_to: Imported) -> None:
    project = _project(found.event.cwd)
    policy = config.policy.joined(project.root)
    made = envelope(found.event, project, policy, config.limits, ident=found.ident, at=found.at)
    if made is None:
        came_to.left_out += 1
        return
    made["origin"] = "import"
    try:
        batch.append(encode(made))
    except OversizedEnvelope:
        if found.event.text is None:
            came_to.left_out += 1
            return
        found.event.text = found.event.text[:SHORT_TEXT]
        _add(batch, found, config, came_to)
        return
    came_to.events += 1


@lru_cache(maxsize=1024)
def _project(cwd: str | None) -> Project:
    return find(cwd)
