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
from limbeck.show import counted

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


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file in a folder that was passed over, and why: the same words for the same reason."""

    path: Path
    why: str


def found(
    paths: Iterable[Path], skip: Callable[[Skipped], object] = lambda _skipped: None
) -> list[Transcript]:
    """Return the transcripts at ``paths`` (files, or folders searched for ``*.jsonl``), oldest first.

    Links that lead out of a folder are not followed; ``skip`` is told of them and of every other file passed over.

    Raises NothingToImport for a path that is not there, a folder without any or what is no regular file, and
    NotATranscript for a named file of another kind. In a folder, files of another kind are passed over.
    """
    transcripts: dict[Path, Transcript] = {}
    for path in paths:
        if path.is_dir():
            known = _within(path, skip)
            transcripts |= {one.path: one for one in known}
        elif path.is_file():
            one = _transcript(path)
            if isinstance(one, Skipped):
                raise NotATranscript(path=path)
            transcripts[one.path] = one
        elif path.exists():
            raise NothingToImport(path=path, why="it is a pipe or a device, not a file")
        else:
            raise NothingToImport(path=path, why="it is not there")
    return sorted(transcripts.values(), key=lambda one: (one.path.stat().st_mtime, one.path))


def _within(folder: Path, skip: Callable[[Skipped], object]) -> list[Transcript]:
    held = inside(folder, lambda _one: True)
    for link in held.leading_out:
        skip(Skipped(link, f"a symbolic link leads out of {folder}; name its target itself to read it"))
    known = []
    for path in held.files:
        one = _transcript(path) if path.suffix == ".jsonl" else Skipped(path, "not a .jsonl file")
        if isinstance(one, Skipped):
            skip(one)
        else:
            known.append(one)
    if not known:
        raise NothingToImport(
            path=folder,
            why="no transcript (*.jsonl of Claude Code or Codex) is among its "
            f"{counted(len(held.files), 'file')}",
        )
    return known


def _transcript(path: Path) -> Transcript | Skipped:
    whole = path.resolve()
    try:
        with os.fdopen(open_regular(whole), "rb") as file:
            lines = [file.readline(MOST_LINE) for _ in range(SNIFFED_LINES)]
    except OSError as error:
        return Skipped(path, f"cannot be read ({error.strerror or 'not a regular file'})")
    for line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            for known in (claude, codex):
                if known.is_record(value):
                    return Transcript(whole, known, _subagent_type(whole))
    return Skipped(path, "no record of Claude Code or Codex in its first lines" if any(lines) else "empty")


def _subagent_type(path: Path) -> str:
    """What kind of subagent wrote this file, from the note beside it."""
    try:
        value = json.loads(read_regular(path.with_suffix(".meta.json"), MOST_NOTE))
    except (OSError, ValueError, RecursionError):
        return ""
    kind = value.get("agentType") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else ""
