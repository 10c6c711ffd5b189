"""A Markdown text as passages: what stands under one heading, in parts of a size that can be read and cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 1_500  # characters
MOST = 5_000
_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Part:
    """``text[starts:ends]`` of the whole, under ``heading`` (the headings above it, outermost first)."""

    heading: str
    starts: int
    ends: int
    text: str


def parts(text: str) -> list[Part]:
    """Cut ``text``; every character that is not blank or a heading lies in exactly one part."""
    found: list[Part] = []
    for heading, starts, ends in _sections(text):
        for begins, finishes in _cut(text, starts, ends):
            found.append(Part(heading, begins, finishes, text[begins:finishes]))
            if len(found) == MOST:
                return found
    return found


def _sections(text: str) -> Iterator[tuple[str, int, int]]:
    """The stretches between headings, each with its path."""
    path: dict[int, str] = {}
    begun, at, fence = 0, 0, ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
                fence = ""
        elif mark:
            fence = mark[1]
        elif heading := _HEADING.match(line.rstrip("\n")):
            yield _told(path), begun, at
            level = len(heading[1])
            path = {depth: name for depth, name in path.items() if depth < level} | {level: heading[2]}
            begun = at + len(line)
        at += len(line)
    yield _told(path), begun, at


def _told(path: dict[int, str]) -> str:
    return " > ".join(path[depth] for depth in sorted(path))[:300]


def _cut(text: str, starts: int, ends: int) -> Iterator[tuple[int, int]]:
    """One section in parts: at a blank line, else at a line's end, else at a blank, else hard."""
    while True:
        while starts < ends and text[starts].isspace():
            starts += 1
        if starts >= ends:
            return
        stop = ends
        if ends - starts > LONGEST:
            window = text[starts : starts + LONGEST]
            places = (window.rfind(mark, LONGEST // 3) for mark in ("\n\n", "\n", " "))
            stop = starts + next((place for place in places if place > 0), LONGEST)
        last = stop
        while last > starts and text[last - 1].isspace():
            last -= 1
        yield starts, last
        starts = stop
