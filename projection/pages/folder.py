"""Pages on a disk: found in any subfolder, written whole, never over what somebody is writing just now."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from projection.errors import BrokenPage
from projection.okf.prose import slug
from projection.okf.tree import write_whole
from projection.pages.page import NEW, Page, is_managed
from projection.pages.parse import parse
from projection.way import require_plain

MOST_BYTES = 4_000_000
MOST_FILES = 20_000


@dataclass(frozen=True, slots=True)
class Found:
    """A page as it was read: its file, its bytes, and what they say (or why they say nothing)."""

    path: Path
    name: str
    content: bytes
    page: Page | None
    broken: str = ""


def scan(folder: Path) -> list[Found]:
    """Return every managed page below ``folder``, by name; hidden folders and links are left out. Raises UnsafePath."""
    require_plain(folder)
    found: list[Found] = []
    seen = 0
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(names):
            path = Path(where, name)
            seen += 1
            if not name.endswith(".md") or path.is_symlink() or not path.is_file() or seen > MOST_FILES:
                continue
            with path.open("rb") as stream:
                content = stream.read(MOST_BYTES + 1)
            if is_managed(content):
                found.append(_read(folder, path, content))
    return _single(found)


def put(found: Found | None, path: Path, content: bytes) -> bool:
    """Write a page; False where the file is not any more what was read (the next run looks again)."""
    try:
        now = path.read_bytes()
    except FileNotFoundError:
        now = None
    if now != (found.content if found else None):
        return False
    write_whole(path, content)
    return True


def remove(found: Found) -> bool:
    """Delete a page; False where the file is not any more what was read."""
    try:
        if found.path.read_bytes() != found.content:
            return False
        found.path.unlink()
    except FileNotFoundError:
        return True
    return True


def name_of(folder: Path, page: Page) -> Path:
    """Where a new page goes."""
    return folder / f"{page.top.number}-{slug(page.top.title, 40)}.md"


def _read(folder: Path, path: Path, content: bytes) -> Found:
    name = path.relative_to(folder).as_posix()
    if len(content) > MOST_BYTES:
        return Found(path, name, content, None, f"{name} is larger than a page can be.")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        return Found(
            path, name, content, None, str(BrokenPage(path=name, line=line, why="this is not UTF-8 text"))
        )
    try:
        return Found(path, name, content, parse(text, name))
    except BrokenPage as error:
        return Found(path, name, content, None, str(error))


def _single(found: list[Found]) -> list[Found]:
    """Of two pages of one use case neither counts."""
    of_number: dict[str, list[Found]] = {}
    for one in found:
        if one.page is not None and one.page.top.number not in ("", NEW):
            of_number.setdefault(one.page.top.number, []).append(one)
    twice = {
        one.name: f"{number} has {len(held)} pages: {', '.join(other.name for other in held)}. Keep one of them."
        for number, held in of_number.items()
        if len(held) > 1
        for one in held
    }
    return [Found(o.path, o.name, o.content, None, twice[o.name]) if o.name in twice else o for o in found]
