"""Whether a folder is a bundle of the Open Knowledge Format: the rules R1 to R13, each finding with its place.

An error breaks conformance; a warning is advice that the format gives (readers must cope without it).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import PurePosixPath
from posixpath import join, normpath
from typing import Any
from urllib.parse import unquote

from projection.okf.frontmatter import Unparsable, read, split

ERROR, WARNING = "error", "warning"
INDEX, LOG = "index.md", "log.md"
_HEADING = re.compile(r"(#{1,6})\s+(\S.*)")
_BULLET = re.compile(r"\s*[*+-]\s+\S")
_ENTRY = re.compile(r"[*+-]\s+\[(?:\\.|[^\]\\])+\]\([^)\s]+\)(?P<rest>.*)")
_TOLD = re.compile(r"\s*[-:]\s+\S")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINK = re.compile(r"(?<!\\)\[(?:\\.|[^\]\\])*\]\((?P<to>[^)\s]+)\)")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as the format says; ``line`` counts from 1, 0 is the file as a whole."""

    rule: str
    level: str
    path: str
    line: int
    why: str


def check(files: Mapping[str, bytes]) -> list[Finding]:
    """Return what is wrong with a bundle's files (by path, relative to its root), in the order of their paths."""
    pages = {path: held for path, held in files.items() if path.endswith(".md")}
    found: list[Finding] = []
    if not pages:
        found.append(Finding("R1", ERROR, ".", 0, "there is no Markdown file in this folder"))
    folders = {str(PurePosixPath(path).parent) for path in pages}
    for path in sorted(pages):
        found += _page(path, pages[path], files)
    for folder in sorted(folders):
        name = INDEX if folder == "." else f"{folder}/{INDEX}"
        if name not in pages:
            found.append(Finding("R10", WARNING, folder, 0, "this folder has no index.md"))
    return found


def _page(path: str, content: bytes, files: Mapping[str, bytes]) -> Iterator[Finding]:
    try:
        page = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        yield Finding("R3", ERROR, path, line, "this is not UTF-8 text")
        return
    name = PurePosixPath(path).name
    if name == INDEX:
        yield from _index(path, page)
    elif name == LOG:
        yield from _log(path, page)
    else:
        yield from _concept(path, page)
    yield from _links(path, page, files)


def _concept(path: str, page: str) -> Iterator[Finding]:
    try:
        fields, body, first = read(page)
    except Unparsable as error:
        yield Finding("R3", ERROR, path, error.line, error.why)
        return
    if fields is None:
        why = "a concept begins with frontmatter between --- lines; put `type:` there"
        yield Finding("R3", ERROR, path, 1, why)
        return
    kind = fields.get("type")
    if not isinstance(kind, str) or not kind.strip():
        yield Finding(
            "R4", ERROR, path, 1, "`type` is missing, empty or no text; it is the one field a concept needs"
        )
    yield from _recommended(path, fields)
    yield from _citations(path, body, first)


def _recommended(path: str, fields: Mapping[str, Any]) -> Iterator[Finding]:
    for name in ("title", "description", "resource"):
        if name in fields and not isinstance(fields[name], str):
            yield Finding("R5", WARNING, path, 1, f"`{name}` is no text")
    tags = fields.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        yield Finding("R5", WARNING, path, 1, "`tags` is no list of texts")
    at = fields.get("timestamp")
    if at is not None and not _is_time(at):
        yield Finding("R5", WARNING, path, 1, "`timestamp` is no time in ISO 8601")


def _is_time(held: object) -> bool:
    if isinstance(held, datetime | date):
        return True
    try:
        datetime.fromisoformat(str(held))
    except ValueError:
        return False
    return True


def _citations(path: str, body: str, first: int) -> Iterator[Finding]:
    inside = False
    for number, line in _outside_code(body, first):
        heading = _HEADING.match(line)
        if heading:
            inside = heading[2].strip().lower() == "citations"
        elif inside and _BULLET.match(line):
            yield Finding("R9", WARNING, path, number, "citations are numbered: `1. ...`")


def _index(path: str, page: str) -> Iterator[Finding]:
    try:
        raw, body, first = split(page)
        fields = read(page)[0] if raw is not None else None
    except Unparsable as error:
        yield Finding("R10", ERROR, path, error.line, error.why)
        return
    if fields is not None and path != INDEX:
        yield Finding("R10", ERROR, path, 1, "only the index.md of the bundle's root may have frontmatter")
    elif fields is not None and set(fields) != {"okf_version"}:
        yield Finding("R11", ERROR, path, 1, "the root's frontmatter holds `okf_version` and nothing else")
    elif fields is not None and not isinstance(fields["okf_version"], str):
        yield Finding("R11", ERROR, path, 2, 'okf_version is a text in quotes, as "0.1"')
    headed = False
    for number, line in _outside_code(body, first):
        if _HEADING.match(line):
            headed = True
        elif line.strip() and not headed:
            yield Finding(
                "R12", ERROR, path, number, "an index is made of headings with lists; this is before any"
            )
            return
        elif _BULLET.match(line):
            entry = _ENTRY.match(line.strip())
            if entry is None:
                yield Finding(
                    "R12", WARNING, path, number, "an entry is `* [Title](address) - short description`"
                )
            elif not _TOLD.match(entry["rest"]):
                yield Finding(
                    "R12", WARNING, path, number, "an entry tells what is linked: ` - short description`"
                )


def _log(path: str, page: str) -> Iterator[Finding]:
    raw, body, first = None, page, 1
    try:
        raw, body, first = split(page)
    except Unparsable as error:
        yield Finding("R13", ERROR, path, error.line, error.why)
    if raw is not None:
        yield Finding("R13", ERROR, path, 1, "a log has no frontmatter")
    before: str | None = None
    for number, line in _outside_code(body, first):
        heading = _HEADING.match(line)
        if heading is None or len(heading[1]) != 2:
            continue
        told = heading[2].strip()
        if not _is_day(told):
            yield Finding("R13", ERROR, path, number, f"{told[:40]} is no date; write `## 2026-03-01`")
        elif before is not None and told > before:
            yield Finding(
                "R13", ERROR, path, number, f"{told} stands below {before}; the newest day comes first"
            )
        else:
            before = told


def _is_day(told: str) -> bool:
    try:
        return bool(_DATE.fullmatch(told)) and bool(date.fromisoformat(told))
    except ValueError:
        return False


def _links(path: str, page: str, files: Mapping[str, bytes]) -> Iterator[Finding]:
    try:
        _, body, first = split(page)
    except Unparsable:
        body, first = page, 1
    for number, line in _outside_code(body, first):
        for found in _LINK.finditer(line):
            target = found["to"]
            if _SCHEME.match(target) or target.startswith("#"):
                continue
            if resolve(path, target) not in files and resolve(path, target, INDEX) not in files:
                yield Finding("R8", WARNING, path, number, f"the link {target} leads nowhere in this bundle")


def resolve(page: str, target: str, index: str = "") -> str:
    """The path in the bundle that a link of ``page`` means, with ``index`` where a folder is meant."""
    plain = unquote(target.partition("#")[0])
    folder = "" if plain.startswith("/") else str(PurePosixPath(page).parent)
    return normpath(join(folder, plain.lstrip("/"), index)).removeprefix("./")


def _outside_code(body: str, first: int) -> Iterator[tuple[int, str]]:
    """The numbered lines that are not inside a fenced code block."""
    fence = ""
    for number, line in enumerate(body.split("\n"), first):
        mark = _FENCE.match(line)
        if fence:
            if (
                mark
                and mark[1][0] == fence[0]
                and len(mark[1]) >= len(fence)
                and not line.strip().strip(fence[0])
            ):
                fence = ""
            continue
        if mark:
            fence = mark[1]
            continue
        yield number, line
