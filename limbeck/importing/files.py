"""Which files a path means, and which format each has."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from capture.regular import open_regular, read_regular
from limbeck.errors import NotATranscript, NothingToImport
from limbeck.importing import claude, codex
from limbeck.inside import inside

SNIFFED_LINES = 20
MOST_LINE = 64 * 1024 * 1024
MOST_NOTE = 65536


@dataclass(frozen=True, slots=True)
class Transcript:
    """One file with the reader of its format."""

    path: Path
    format: ModuleType
    subagent_type: str = ""

    def lines(self) -> Iterator[bytes]:
        """The file's lines as bytes. Raises OSError."""
        with os.fdopen(open_regular(self.path), "rb") as file:
            while line := file.readline(MOST_LINE):
                yield line


def found(paths: Iterable[Path], say: Callable[[str], object] = lambda _sentence: None) -> list[Transcript]:
    """Return the transcripts at ``paths`` (files, or folders searched for ``*.jsonl``), oldest first.

    Links that lead out of a folder are not followed; ``say`` is told how many there were.

    Raises NothingToImport for a path that is not there, a folder without any or what is no regular file, and
    NotATranscript for a named file of another kind. In a folder, files of another kind are passed over.
    """
    transcripts: dict[Path, Transcript] = {}
    for path in paths:
        if path.is_dir():
            held = inside(path, lambda one: one.suffix == ".jsonl")
            if held.told:
                say(held.told)
            known = [one for file in held.files if (one := _transcript(file))]
            if not known:
                raise NothingToImport(
                    path=path, why="no transcript (*.jsonl of Claude Code or Codex) is in it"
                )
            transcripts |= {one.path: one for one in known}
        elif path.is_file():
            one = _transcript(path)
            if one is None:
                raise NotATranscript(path=path)
            transcripts[one.path] = one
        elif path.exists():
            raise NothingToImport(path=path, why="it is a pipe or a device, not a file")
        else:
            raise NothingToImport(path=path, why="it is not there")
    return sorted(transcripts.values(), key=lambda one: (one.path.stat().st_mtime, one.path))


def _transcript(path: Path) -> Transcript | None:
    path = path.resolve()
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            lines = [file.readline(MOST_LINE) for _ in range(SNIFFED_LINES)]
    except OSError:
        return None
    for line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            for known in (claude, codex):
                if known.is_record(value):
                    return Transcript(path, known, _subagent_type(path))
    return None


def _subagent_type(path: Path) -> str:
    """What kind of subagent wrote this file, from the note beside it."""
    try:
        value = json.loads(read_regular(path.with_suffix(".meta.json"), MOST_NOTE))
    except (OSError, ValueError, RecursionError):
        return ""
    kind = value.get("agentType") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else ""
