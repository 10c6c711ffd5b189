"""A page as Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from projection.okf import frontmatter
from projection.okf.pages import delivery
from projection.pages.page import (
    BASE,
    CONFLICTS,
    DONE,
    GONE,
    IN_ITEM,
    IN_SUMMARY,
    ITEMS,
    KEY,
    NEW,
    ORDER,
    STATUS,
    Entry,
    Page,
    encode,
    titled,
)
from schema.backlog import TYPE_NAMES, WorkEntry


def render(
    page: Page, work: Sequence[WorkEntry] = (), theirs: Mapping[tuple[str, str], str] | None = None
) -> str:
    """Return the page's text.

    ``work`` is what was done, oldest first; ``theirs`` what the database says where there is a conflict.
    """
    fields = {KEY: page.top.number or NEW, BASE: page.base or None}
    lines = [frontmatter.block(fields).rstrip("\n"), f"# {_heading(page.top)}", ""]
    lines += _entry(page.top)
    lines += [f"## {ITEMS}", ""]
    for child in page.children:
        lines += [f"### {_heading(child)}", "", *_entry(child)]
    if page.conflicts:
        lines += [f"## {CONFLICTS}", ""]
        for number, name in sorted(page.conflicts):
            lines += [*_conflict(number, name, (theirs or {}).get((number, name), "")), ""]
    if work:
        lines += [f"## {DONE}", "", *(f"* {delivery(one)}" for one in work[::-1])]
    return "\n".join(lines).rstrip("\n") + "\n"


def _heading(entry: Entry) -> str:
    if entry.number:
        return f"{entry.number} {entry.title}"
    return entry.title if entry.type == "US" else f"{TYPE_NAMES[entry.type].capitalize()}: {entry.title}"


def _entry(entry: Entry) -> list[str]:
    lines = [f"{STATUS} {entry.state}", ""] if entry.state else []
    if entry.text:
        lines += [*encode(entry.text, IN_SUMMARY if entry.type == "US" else IN_ITEM), ""]
    return lines


def _conflict(number: str, name: str, theirs: str) -> list[str]:
    keep = "Delete this entry to keep what stands above"
    if name == GONE:
        way = f"`limbeck items restore {number}` brings it back; else delete it above, with this entry"
        return [
            f"* {number} {GONE}: the database has archived it or moved it, and it was changed here. {way}."
        ]
    if name == ORDER:
        return [f"* {number} {ORDER}: the database has {titled(theirs)}. {keep}."]
    if name == "text":
        return [
            f"* {number} {name}: the database has the text below. {keep}.",
            *(f"  > {one}" for one in theirs.split("\n")),
        ]
    return [f"* {number} {name}: the database has {json.dumps(theirs, ensure_ascii=False)}. {keep}."]
