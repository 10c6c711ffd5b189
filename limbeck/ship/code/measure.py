"""What a commit did to the symbols and the complexity of its files, as the body of an event, within bounds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from capture.envelope import encode
from capture.errors import OversizedEnvelope
from capture.policy import Policy
from capture.redact import Deadline
from capture.redact.walk import redact_value
from capture.text import add
from limbeck.ship.code.changes import Change, changes
from limbeck.ship.code.complexity import Complexity, complexity
from limbeck.ship.code.grammars import Grammar, grammar_of
from limbeck.ship.code.symbols import Parsed, symbols_in
from limbeck.ship.commits import Compared, compared
from limbeck.ship.errors import RepositoryGone
from limbeck.ship.languages import language

KIND = "symbols"
MOST_FILES = 100
MOST_SYMBOLS = 200  # of one file
MOST_IN_ALL = 600
LONGEST_FILE = 256 * 1024
SECONDS = 10.0
REDACTING_SECONDS = 5.0
LONGEST_PATH = 512

PLAIN = ("100644", "100755")

Envelope = dict[str, object]
Entry = dict[str, Any]

TOO_LARGE = f"it is larger than {LONGEST_FILE // 1024} KiB"
NO_TEXT = "it is no text in UTF-8"
UNREAD = "git did not give it"
TOO_LATE = "there was no time left for it"


@dataclass(frozen=True, slots=True)
class _Side:
    """A file before or after; what is not there has no symbols and no complexity."""

    parsed: Parsed
    measured: Complexity


ABSENT = _Side(Parsed(), Complexity((), 0, 0))


def measured(
    envelope: Envelope, policy: Policy, clock: Callable[[], float] = time.monotonic, seconds: float = SECONDS
) -> Envelope | None:
    """Return ``envelope`` (of kind ``symbols``, naming a commit) with its body filled, redacted and within its size.

    None where the commit changed no source file. What is too large, has no grammar or comes after ``seconds`` is
    told with the reason and without symbols. Raises RepositoryGone.
    """
    found = compared(envelope, policy)
    sources = [(path, name) for path, _, _ in found.changes if (name := language(path)) is not None]
    if not sources:
        return None
    end = clock() + seconds
    blobs = _blobs(found)
    files: list[Entry] = []
    left = MOST_IN_ALL
    for path, name in sources[:MOST_FILES]:
        entry = _file(found, path, blobs[path], left) if clock() < end else {"skipped": TOO_LATE}
        left -= len(entry.get("symbols", ()))
        files.append({"path": path[:LONGEST_PATH], "language": name, **entry})
    body: Envelope = {"sha": found.sha, "files": files}
    if len(sources) > len(files):
        body["files_total"] = len(sources)
    return _redacted(envelope, body)


def _file(found: Compared, path: str, blobs: tuple[str, str], most: int) -> Entry:
    grammar = grammar_of(path)
    if grammar is None:
        return {"skipped": "there is no grammar for its language"}
    try:
        texts = [found.repository.ask("cat-file", "blob", one) if one else None for one in blobs]
    except RepositoryGone:
        return {"skipped": UNREAD}
    if any(text is not None and len(text) > LONGEST_FILE for text in texts):
        return {"skipped": TOO_LARGE}
    try:
        before, after = (_side(grammar, text) for text in texts)
    except UnicodeDecodeError:
        return {"skipped": NO_TEXT}
    changed = changes(before.parsed.symbols, after.parsed.symbols)
    kept = changed[: min(MOST_SYMBOLS, most)]
    entry: Entry = {
        "complexity_before": before.measured.total,
        "complexity_after": after.measured.total,
        "functions_before": before.measured.functions,
        "functions_after": after.measured.functions,
        "symbols": [_symbol(one, before.measured, after.measured) for one in kept],
    }
    if len(changed) > len(kept):
        entry["symbols_total"] = len(changed)
    if before.parsed.broken or after.parsed.broken:
        entry["broken"] = True
    return {name: value for name, value in entry.items() if value is not None}


def _blobs(found: Compared) -> dict[str, tuple[str, str]]:
    """The contents of each changed file before and after by their ids, '' where it is not there or no plain file."""
    arguments = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-ext-diff", "--no-textconv")
    written = found.repository.ask(*arguments, found.base, found.sha).decode("utf-8", "replace").split("\0")
    told = {}
    for about, path in zip(written[::2], written[1::2], strict=False):
        old_mode, new_mode, old, new, _ = about.lstrip(":").split(" ")
        told[path] = (old if old_mode in PLAIN else "", new if new_mode in PLAIN else "")
    return told


def _side(grammar: Grammar, source: bytes | None) -> _Side:
    if source is None:
        return ABSENT
    text = source.decode("utf-8")
    parsed = symbols_in(grammar, source)
    return _Side(parsed, complexity(grammar, text, parsed.symbols))


def _symbol(one: Change, before: Complexity, after: Complexity) -> Entry:
    told = {
        "name": one.symbol.name,
        "kind": one.symbol.kind,
        "change": one.change,
        "start": one.symbol.start,
        "end": one.symbol.end,
        "before": before.each[one.was] if one.was is not None else None,
        "after": after.each[one.now] if one.now is not None else None,
    }
    return {name: value for name, value in told.items() if value is not None}


def _redacted(envelope: Envelope, body: Envelope) -> Envelope:
    clean, caught = redact_value(body, deadline=Deadline(REDACTING_SECONDS))
    counts: dict[str, int] = {}
    add(counts, caught)
    made = {**envelope, "body": clean}
    if counts:
        made["redactions"] = dict(sorted(counts.items()))
    return _fitted(made, clean["files"])


def _fitted(envelope: Envelope, files: list[Entry]) -> Envelope:
    """Halve the longest lists of symbols until the envelope has its size; the total stays told."""
    while True:
        try:
            encode(envelope)
        except OversizedEnvelope:
            longest = max(files, key=lambda one: len(one.get("symbols", ())))
            if not longest.get("symbols"):
                raise
            longest.setdefault("symbols_total", len(longest["symbols"]))
            del longest["symbols"][len(longest["symbols"]) // 2 :]
        else:
            return envelope
