"""Read labelled sets in the layouts their authors publish. What a folder or file is, is told by what it holds.

layout        files                                                     gold
devmembench   sessions.json, questions.json (``haystackSessionIds``)    sessions
commits       sessions.json, queries.json (``gs``; commit to session)   sessions; files known as a second run
locomo        *.json: list of {conversation, qa}                        turns (``evidence``), so sessions
longmemeval   *.json: list of {haystack_sessions, answer_session_ids}   sessions, turns (``has_answer``)
realtalk      Chat_*.json: {session_1, ..., qa}                         turns (``evidence``), so sessions
beam          folders N/ with chat.json and probing_questions, or       turns; a group of messages is a session
              *.json: list of {chat, probing_questions}

A list may also come as JSON lines, and a file without an ending (as LongMemEval's were published).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from limbeck.bench import layout_assistant, layout_beam, layout_chats, layout_coding
from limbeck.bench.labelled import LabelledSet
from limbeck.errors import NotALabelledSet

MOST_BYTES = 4_000_000_000
ENDINGS = (".json", ".jsonl")


def read(folder: Path) -> list[LabelledSet]:
    """Return every labelled set at ``folder`` (or in its sub-folders, or the one file).

    Raises NotALabelledSet where there is none, or where one is broken.
    """
    if not folder.exists():
        raise NotALabelledSet(path=folder, why="there is no such file or folder")
    found = list(_sets(folder))
    if not found:
        raise NotALabelledSet(
            path=folder, why="no known layout in it; `limbeck bench recall --help` lists them"
        )
    return found


def _sets(place: Path) -> Iterator[LabelledSet]:
    if place.is_file():
        yield from _of_file(place)
        return
    pair = _first_pair(place)
    if pair is not None:
        yield _guarded(place, pair)
        return
    if any(any(place.glob(f"*/{name}")) for name in layout_beam.CHATS):
        yield _guarded(place, layout_beam.read)
        return
    chats = sorted(place.glob("Chat_*.json"))
    if chats and layout_chats.is_realtalk(_json(chats[0])):
        yield _guarded(place, layout_chats.realtalk)
        return
    for inner in sorted(place.iterdir()):
        if inner.is_dir() or inner.suffix in ENDINGS or (not inner.suffix and _begins_as_json(inner)):
            yield from _sets(inner)


def _begins_as_json(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{")


def _first_pair(place: Path) -> Callable[[Path], LabelledSet] | None:
    if not (place / "sessions.json").is_file():
        return None
    if (place / "questions.json").is_file():
        return layout_coding.devmembench
    if (place / "queries.json").is_file():
        return layout_coding.commits
    return None


def _of_file(path: Path) -> Iterator[LabelledSet]:
    data = _json(path)
    first = data[0] if isinstance(data, list) and data and isinstance(data[0], dict) else {}
    if "conversation" in first and "qa" in first:
        yield _guarded(path, lambda at: layout_chats.locomo(at.stem, data))
    elif "haystack_sessions" in first:
        yield _guarded(path, lambda at: layout_assistant.longmemeval(at.stem, data))
    elif "chat" in first and "probing_questions" in first:
        yield _guarded(path, lambda at: layout_beam.rows(at.stem, data))
    elif layout_chats.is_realtalk(data):
        yield _guarded(path, lambda at: layout_chats.one_realtalk(at.stem, data))


def _guarded(path: Path, reader: Callable[[Path], LabelledSet]) -> LabelledSet:
    try:
        return reader(path)
    except (LookupError, TypeError, ValueError, AttributeError, OSError) as error:
        raise NotALabelledSet(path=path, why=f"{type(error).__name__}: {error}") from error


def _json(path: Path) -> Any:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise NotALabelledSet(path=path, why=f"it is larger than {MOST_BYTES // 10**9} GB")
        written = path.read_text("utf-8-sig")
        return _lines(written) if path.suffix == ".jsonl" else _whole_or_lines(written)
    except (OSError, ValueError) as error:
        raise NotALabelledSet(path=path, why=f"it is not readable JSON ({error})") from error


def _whole_or_lines(written: str) -> Any:
    """JSON, or JSON lines where only these can be read; the error is that of the whole."""
    try:
        return json.loads(written)
    except ValueError:
        try:
            return _lines(written)
        except ValueError:
            pass
        raise


def _lines(written: str) -> Any:
    """JSON lines as a list; a text of one line is what it is, in a list."""
    return [json.loads(line) for line in written.split("\n") if line.strip()]
