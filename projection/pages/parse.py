"""Markdown back to a page; what does not fit is refused with its line."""

from __future__ import annotations

import re
from dataclasses import replace

from projection.errors import BrokenPage
from projection.okf import frontmatter
from projection.pages.page import (
    BASE,
    CHILD_TYPES,
    CONFLICTS,
    DONE,
    FIELDS,
    GONE,
    IN_ITEM,
    IN_SUMMARY,
    ITEMS,
    KEY,
    MERGE,
    NEW,
    NUMBER,
    ORDER,
    SECTION,
    STATUS,
    STRUCTURE,
    Entry,
    Page,
    Unclosed,
    decode,
    skip_code,
    titled,
)
from schema.backlog import STATES

LONGEST = 1_000_000  # characters
_TOP = re.compile(r"#[ \t]+(.*)$")
_CHILD = re.compile(r"###(?:[ \t]+(.*))?$")
_OTHER = re.compile(r"##(?:[ \t]+(.*))?$")
_NUMBERED = re.compile(rf"({NUMBER})(?:[ \t]+(.*))?$")
_TYPED = re.compile(rf"(?i:({'|'.join(CHILD_TYPES)})):[ \t]*(.*)$")
_CONFLICT = re.compile(rf"\*[ \t]+({NUMBER})[ \t]+({'|'.join((*FIELDS, ORDER, GONE))}):")


def parse(text: str, path: str = "page") -> Page:
    """Return the page that ``text`` is. Raises BrokenPage, which names ``path`` and the line."""
    return _Reader(text, path).page()


class _Reader:
    """One reading; ``lines`` are the body's, ``first`` the number of the first of them."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        if len(text) > LONGEST:
            raise self.broken(1, f"a page has at most {LONGEST:,} characters")
        plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
        for number, line in enumerate(plain.split("\n"), 1):
            if MERGE.match(line):
                raise self.broken(number, "a merge is not finished here")
        try:
            fields, body, first = frontmatter.read(plain)
        except frontmatter.Unparsable as error:
            raise self.broken(error.line, error.why) from error
        if fields is None or KEY not in fields:
            raise self.broken(1, f"a page begins with frontmatter that says `{KEY}:`")
        self.number = str(fields[KEY])
        if self.number != NEW and not re.fullmatch(r"US\d{4,}", self.number):
            raise self.broken(2, f"`{KEY}` is the number of a use case, such as US1001, or `{NEW}`")
        self.base = str(fields.get(BASE) or "")
        self.lines, self.first = body.split("\n"), first

    def broken(self, line: int, why: str) -> BrokenPage:
        return BrokenPage(path=self.path, line=line, why=why)

    def page(self) -> Page:
        at = self._blank(0)
        heading = _TOP.match(self.lines[at]) if at < len(self.lines) else None
        if heading is None:
            raise self.broken(
                self.first + min(at, len(self.lines) - 1), "the page's title is wanted: `# US1001 Title`"
            )
        top, begun = self._top(heading[1], at), at + 1
        at = self._until(begun, summary=True)
        top = self._filled(top, begun, at)
        children: list[Entry] = []
        conflicts: set[tuple[str, str]] = set()
        while at < len(self.lines):
            name, begun = self._section(at), at + 1
            at = self._until(begun, summary=False)
            if name == ITEMS.lower():
                children += self._children(begun, at)
            elif name == CONFLICTS.lower():
                conflicts |= {(m[1], m[2]) for line in self.lines[begun:at] if (m := _CONFLICT.match(line))}
        self._once(children)
        return Page(top, tuple(children), self.base, frozenset(conflicts))

    def _top(self, words: str, at: int) -> Entry:
        found = _NUMBERED.match(words)
        if self.number == NEW:
            return self._named(Entry("", "US", titled(words), line=self.first + at))
        if found is None or found[1] != self.number:
            raise self.broken(
                self.first + at, f"the title begins with the page's number: `# {self.number} Title`"
            )
        return self._named(Entry(self.number, "US", titled(found[2] or ""), line=self.first + at))

    def _child(self, words: str, at: int) -> Entry:
        if found := _NUMBERED.match(words):
            if found[1][:2] not in CHILD_TYPES.values():
                raise self.broken(self.first + at, f"{found[1]} cannot be an item of a use case")
            return self._named(Entry(found[1], found[1][:2], titled(found[2] or ""), line=self.first + at))
        if found := _TYPED.match(words):
            code = CHILD_TYPES[found[1].lower()]
            return self._named(Entry("", code, titled(found[2]), line=self.first + at))
        kinds = ", ".join(name.capitalize() for name in CHILD_TYPES)
        why = f"an item's heading is `### FE2001 Title`, of a new one `### Feature: Title` (or {kinds}); a text's own"
        raise self.broken(self.first + at, f"{why} headings begin with ####")

    def _named(self, entry: Entry) -> Entry:
        if not any(character.isalnum() for character in entry.title):
            raise self.broken(entry.line, "the title has no words")
        return entry

    def _section(self, at: int) -> str:
        found = SECTION.match(self.lines[at])
        if found is None:
            why = f"after `## {ITEMS}` there is only `## {CONFLICTS}` and `## {DONE}`; put this above, into the summary"
            raise self.broken(self.first + at, why)
        return self.lines[at].strip("# \t").lower()

    def _children(self, at: int, end: int) -> list[Entry]:
        found: list[Entry] = []
        at = self._blank(at)
        while at < end:
            heading = _CHILD.match(self.lines[at])
            if heading is None:
                raise self.broken(self.first + at, f"under `## {ITEMS}` comes an item: `### FE2001 Title`")
            stop = at + 1
            while stop < end and not _CHILD.match(self.lines[stop]):
                stop = self._after_code(stop)
            found.append(self._filled(self._child(heading[1] or "", at), at + 1, stop))
            at = stop
        return found

    def _filled(self, entry: Entry, at: int, end: int) -> Entry:
        """The entry with its status and text, which stand in these lines."""
        at = self._blank(at)
        state = ""
        if at < end and self.lines[at].startswith(STATUS):
            state = "-".join(self.lines[at][len(STATUS) :].lower().replace("_", " ").split())
            if state not in STATES:
                raise self.broken(self.first + at, f"a status is one of {', '.join(STATES)}")
            at += 1
        marks = IN_SUMMARY if entry.type == "US" else IN_ITEM
        try:
            text = decode(self.lines[at:end], marks)
        except Unclosed as error:
            raise self.broken(self.first + at + error.index, "this code is not closed") from error
        return replace(entry, state=state, text=text)

    def _until(self, at: int, *, summary: bool) -> int:
        """Where the section that begins at ``at`` ends: at any ``##``, in a summary only at one of ours."""
        while at < len(self.lines):
            line = self.lines[at]
            if SECTION.match(line) or (not summary and _OTHER.match(line)):
                return at
            if summary and STRUCTURE.match(line):
                raise self.broken(self.first + at, f"this item stands outside of `## {ITEMS}`")
            at = self._after_code(at)
        return at

    def _after_code(self, at: int) -> int:
        try:
            return max(skip_code(self.lines, at), at + 1)
        except Unclosed as error:
            raise self.broken(self.first + at, "this code is not closed") from error

    def _once(self, children: list[Entry]) -> None:
        seen: set[str] = set()
        for child in children:
            if child.number in seen:
                raise self.broken(child.line, f"{child.number} stands here twice")
            seen |= {child.number} - {""}

    def _blank(self, at: int) -> int:
        while at < len(self.lines) and not self.lines[at].strip():
            at += 1
        return at
