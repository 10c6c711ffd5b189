"""Stored text as a page may show it: escaped, kept in its own direction, what hides in it written out."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup, escape

LONGEST = 4_000
# Controls, marks of direction, characters without width, and the tag block that hides words from people.
HIDING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f]"
)
OPENED, CLOSED = Markup('<bdi dir="auto">'), Markup("</bdi>")
REDACTED = re.compile(r"\[REDACTED:[\w.-]{1,64}\]")
PARTS = re.compile(f"(?P<hiding>{HIDING.pattern})|(?P<redacted>{REDACTED.pattern})")
NAMES = {
    0x200E: "left-to-right mark",
    0x200F: "right-to-left mark",
    0x202D: "left-to-right override",
    0x202E: "right-to-left override",
    0x2067: "right-to-left isolate",
    0x200B: "space without width",
    0xFEFF: "byte order mark",
}


def shown(text: str | None, longest: int = LONGEST) -> Markup:
    """Return ``text`` as HTML of its own direction; beyond ``longest`` characters it says that it was cut.

    A carriage return before a newline is part of the line break and is not written out.
    """
    whole = (text or "").replace("\r\n", "\n")
    html = _marked(whole[:longest])
    if len(whole) > longest:
        html += Markup(' <span class="cut">cut: {} of {} characters shown</span>').format(
            f"{longest:,}", f"{len(whole):,}"
        )
    return OPENED + html + CLOSED


def line(text: str | None, longest: int = 240) -> Markup:
    """Return ``text`` as ``shown``, on one line."""
    return shown(" ".join((text or "")[: longest * 2 + 1].split()), longest)


def coded(text: str, longest: int = LONGEST) -> Markup:
    """Return ``text`` as ``shown``, what stands between backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return shown(text, longest)
    return Markup("").join(
        Markup("<code>{}</code>").format(shown(part, longest)) if number % 2 else shown(part, longest)
        for number, part in enumerate(parts)
        if part
    )


def plain(text: str | None, longest: int = 240) -> str:
    """Return ``text`` for a place without markup (a title, a label in a picture): hidden characters written out."""
    whole = " ".join((text or "")[: longest * 2 + 1].split())
    cut = whole[:longest] + "…" if len(whole) > longest else whole
    return HIDING.sub(lambda found: _code(found[0]), cut)


def called(row: Any) -> str:
    """Return what a session is called in a line: its agent and the beginning of the agent's own id of it."""
    return " ".join(filter(None, (row.agent or "session", (row.agent_session or "")[:8])))


def _marked(text: str) -> Markup:
    if PARTS.search(text) is None:  # most texts
        return escape(text)
    parts, end = [], 0
    for found in PARTS.finditer(text):
        parts.append(escape(text[end : found.start()]))
        parts.append(_hidden(found[0]) if found["hiding"] else _redacted(found[0]))
        end = found.end()
    parts.append(escape(text[end:]))
    return Markup("").join(parts)


def _hidden(character: str) -> Markup:
    name = NAMES.get(ord(character), "character that does not show")
    return Markup('<span class="mark" title="{}">{}</span>').format(name, _code(character))


def _redacted(marker: str) -> Markup:
    return Markup('<span class="redacted" title="A secret was removed here">{}</span>').format(marker)


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
