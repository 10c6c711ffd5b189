"""Stored text as Markdown that shows it and does nothing else: no link, heading, tag or rule comes out of it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_MARKS = re.compile(r"[\\\[\]<`|]")
_STARTS = re.compile(r"^(\s*)(?=#|>|[-=*_]{2,}|~{3,})")
_SLUG = re.compile(r"[^a-z0-9]+")
CUT = "... (cut, {} characters in all)"


def line(text: str, most: int = 300) -> str:
    """Stored text on one line, cut to ``most`` characters."""
    return _MARKS.sub(r"\\\g<0>", cut(" ".join(text.split()), most))


def paragraphs(text: str, most: int = 4_000) -> str:
    """Stored text over its own lines, at most ``most`` characters; lists stay lists, nothing else is markup."""
    kept = cut(text.replace("\r", "").strip(), most).split("\n")
    return "\n".join(_plain(one.rstrip()) for one in kept)


def cut(text: str, most: int) -> str:
    """``text``, or its beginning with how long it was."""
    return text if len(text) <= most else text[:most].rstrip() + CUT.format(len(text))


def slug(text: str, most: int = 48) -> str:
    """A name for files: lower case letters, digits and hyphens; ``x`` where nothing is left."""
    return _SLUG.sub("-", text.lower()).strip("-")[:most].strip("-") or "x"


def stamp(at: datetime) -> str:
    """A time in ISO 8601 with its offset, to the second."""
    return at.astimezone(UTC).isoformat(timespec="seconds")


def day(at: datetime) -> str:
    """A time's day in UTC."""
    return at.astimezone(UTC).date().isoformat()


def _plain(one: str) -> str:
    escaped = _MARKS.sub(r"\\\g<0>", one)
    return _STARTS.sub(r"\1\\", escaped)
