"""What a commit did to the symbols and the complexity of its files, as the body of an event, within bounds."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

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
from limbeck.ship.commits import compared
from limbeck.ship.errors import RepositoryGone
from limbeck.ship.git import Content, Difference, Repository
from limbeck.ship.languages import language

KIND = "symbols"
MOST_FILES = 100
MOST_SYMBOLS = 200  # of one file
MOST_IN_ALL = 600
LONGEST_FILE = 256 * 1024
SECONDS = 10.0
REDACTING_SECONDS = 5.0
LONGEST_PATH = 512
REMEMBERED = 100_000  # symbols of files that were measured

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
    envelope: Envelope,
    policy: Policy,
    clock: Callable[[], float] = time.monotonic,
    seconds: float = SECONDS,
    repository: Repository | None = None,
) -> Envelope | None:
    """Return ``envelope`` (of kind ``symbols``, naming a commit) with its body filled, redacted and within its size.

    None where the commit changed no source file. What is too large, has no grammar or comes after ``seconds`` is
    told with the reason and without symbols. ``repository`` is the envelope's, where it is at hand. Raises
    RepositoryGone.
    """
    found = compared(envelope, policy, repository)
    sources = [(change, name) for change in found.changes if (name := language(change.path)) is not None]
    if not sources:
        return None
    end = clock() + seconds
    files: list[Entry] = []
    left = MOST_IN_ALL
    for change, name in sources[:MOST_FILES]:
        entry = _file(found.repository, change, left) if clock() < end else {"skipped": TOO_LATE}
        left -= len(entry.get("symbols", ()))
        files.append({"path": change.path[:LONGEST_PATH], "language": name, **entry})
    body: Envelope = {"sha": found.sha, "files": files}
    if len(sources) > len(files):
        body["files_total"] = len(sources)
    return _redacted(envelope, body)


def _file(repository: Repository, change: Difference, most: int) -> Entry:
    grammar = grammar_of(change.path)
    if grammar is None:
        return {"skipped": "there is no grammar for its language"}
    sources = [_Source(grammar, _plain(content)) for content in (change.before, change.after)]
    try:
        for source in sources:
            source.read(repository)
    except RepositoryGone:
        return {"skipped": UNREAD}
    if any(source.text is not None and len(source.text) > LONGEST_FILE for source in sources):
        return {"skipped": TOO_LARGE}
    try:
        before, after = (source.side() for source in sources)
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


def _plain(content: Content) -> str:
    """The id of what stands there, "" where nothing does or no plain file."""
    return content.id if content.mode in PLAIN else ""


class _Source:
    """One state of a file. What a commit leaves is mostly what the next one finds: both are measured once."""

    _measured: ClassVar[OrderedDict[tuple[str, ...], _Side]] = OrderedDict()
    _held: ClassVar[int] = 0

    def __init__(self, grammar: Grammar, blob: str) -> None:
        self.text: bytes | None = None
        self._grammar, self._blob = grammar, blob
        self._key = (grammar.module, grammar.function, grammar.lizard, blob)
        self._known = self._measured.get(self._key) if blob else ABSENT
        if blob and self._known is not None:
            self._measured.move_to_end(self._key)

    def read(self, repository: Repository) -> None:
        """Ask for the text, where it was not measured. Raises RepositoryGone."""
        if self._known is None:
            self.text = repository.blob(self._blob)

    def side(self) -> _Side:
        """Return what is measured of it. Raises UnicodeDecodeError."""
        if self._known is not None:
            return self._known
        source = self.text or b""
        text = source.decode("utf-8")
        parsed = symbols_in(self._grammar, source)
        side = _Side(parsed, complexity(self._grammar, text, parsed.symbols))
        self._remember(side)
        return side

    def _remember(self, side: _Side) -> None:
        kind = type(self)
        if self._key in self._measured:  # both sides of a file are the same
            return
        self._measured[self._key] = side
        kind._held += 1 + len(side.parsed.symbols)
        while kind._held > REMEMBERED:
            _, oldest = self._measured.popitem(last=False)
            kind._held -= 1 + len(oldest.parsed.symbols)


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
