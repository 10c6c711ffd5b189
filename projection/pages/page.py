"""A use case's page as data, and how its texts are written so that they come back exactly."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from schema.backlog import TYPE_NAMES, Item, UseCase

KEY, BASE = "limbeck_page", "base"
NEW = "new"
ITEMS, CONFLICTS, DONE = "Items", "Conflicts", "What was done"
STATUS = "Status:"
FIELDS = ("title", "text", "state")
ORDER, GONE = "order", "gone"
CHILD_TYPES = {name: code for code, name in TYPE_NAMES.items() if code != "US"}
NUMBER = r"[A-Z]{2}\d{4,}"
_SECTION = rf"##[ \t]+(?:{ITEMS}|{CONFLICTS}|{DONE})[ \t]*$"
_CHILD = rf"###[ \t]+(?:{NUMBER}\b|(?:{'|'.join(CHILD_TYPES)}):)"
_MERGE = r"[<>]{7}(?:\s|$)"  # what a merge leaves where it could not decide
MERGE = re.compile(_MERGE)
STRUCTURE = re.compile(rf"(?i:{_SECTION})|(?i:{_CHILD})|{_MERGE}")
SECTION = re.compile(rf"(?i:{_SECTION})")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# What would be read as structure, in the summary of a use case and in the text of an item.
IN_SUMMARY = re.compile(rf"(?i:{_SECTION})|(?i:{_CHILD})|{STATUS}|{_MERGE}")
IN_ITEM = re.compile(rf"#{{2,3}}(?=\s|$)|{STATUS}|{_MERGE}")
_ESCAPED = re.compile(r"(\\+)(.*)$", re.S)


@dataclass(frozen=True, slots=True)
class Entry:
    """An item as a page shows it; ``number`` is empty where it is new, ``state`` where the page does not say it.

    ``line`` is where it stands, and no part of what it is.
    """

    number: str
    type: str
    title: str
    text: str = ""
    state: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Page:
    """A use case with its children in order.

    ``base`` is the mark of what page and database last agreed on; ``conflicts`` are the (number, field) pairs that
    wait for a decision.
    """

    top: Entry
    children: tuple[Entry, ...] = ()
    base: str = ""
    conflicts: frozenset[tuple[str, str]] = frozenset()


class Unclosed(ValueError):
    """A code fence is not closed; ``index`` counts the lines of the text from 0."""

    def __init__(self, index: int) -> None:
        """Keep where."""
        super().__init__(index)
        self.index = index


def of_use_case(case: UseCase, clean: Callable[[str], str] = lambda text: text) -> Page:
    """The page that the database would write; ``clean`` goes over every text."""
    return Page(_entry(case.item, clean), tuple(_entry(child, clean) for child in case.children))


def is_managed(content: bytes) -> bool:
    """Whether a file is the page of a use case, by its first lines."""
    head = content[:400].decode("utf-8", "replace").removeprefix("\ufeff").splitlines()[:6]
    return bool(head) and head[0].rstrip() == "---" and any(line.startswith(f"{KEY}:") for line in head)


def titled(text: str) -> str:
    """A title as a heading can hold it: on one line."""
    return " ".join(text.split())


def worded(text: str) -> str:
    """A text as a page can hold it: line breaks as \\n, no blank lines around it, nothing a file cannot hold."""
    plain = (
        text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").encode("utf-8", "replace").decode()
    )
    lines = plain.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines)


def encode(text: str, marks: re.Pattern[str]) -> list[str]:
    """The lines of ``text`` with a backslash before each that would be read as structure; code stays as it is."""
    lines = text.split("\n") if text else []
    out: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        end = _closes(lines, at) if _FENCE.match(line) else None
        if end is not None and not any(STRUCTURE.match(one) for one in lines[at + 1 : end]):
            out += lines[at : end + 1]
            at = end + 1
            continue
        out.append(f"\\{line}" if _is_marked(line, marks) else line)
        at += 1
    return out


def decode(lines: Sequence[str], marks: re.Pattern[str]) -> str:
    """What ``encode`` wrote, as it was. Raises Unclosed."""
    out: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if _FENCE.match(line):
            end = _closes(lines, at)
            if end is None:
                raise Unclosed(at)
            out += lines[at : end + 1]
            at = end + 1
            continue
        out.append(line[1:] if line.startswith("\\") and _is_marked(line, marks) else line)
        at += 1
    return worded("\n".join(out))


def skip_code(lines: Sequence[str], at: int) -> int:
    """The index after the code that begins at ``at``; ``at`` where none does.

    Raises Unclosed where it does not end before the page's structure goes on.
    """
    if not _FENCE.match(lines[at]):
        return at
    end = _closes(lines, at)
    if end is None or any(STRUCTURE.match(one) for one in lines[at + 1 : end]):
        raise Unclosed(at)
    return end + 1


def _is_marked(line: str, marks: re.Pattern[str]) -> bool:
    found = _ESCAPED.match(line)
    bare = found[2] if found else line
    return bool(marks.match(bare) or _FENCE.match(bare))


def _closes(lines: Sequence[str], at: int) -> int | None:
    """The index of the line that closes the fence at ``at``."""
    found = _FENCE.match(lines[at])
    fence = found[1] if found else ""
    for index in range(at + 1, len(lines)):
        mark = _FENCE.match(lines[index])
        if mark and mark[1].startswith(fence) and not lines[index].strip().strip(fence[0]):
            return index
    return None


def _entry(item: Item, clean: Callable[[str], str]) -> Entry:
    return Entry(item.number, item.type, titled(clean(item.title)), worded(clean(item.text)), item.state)
