"""Spans that must never leave: ``<private>...</private>``, and memory that Limbeck itself injected."""

from __future__ import annotations

TAGS = ("private", "limbeck-memory")
MOST_SPANS = 1000


def drop_private(text: str) -> str:
    """Return ``text`` with each private span replaced by a short marker, in any letter case, nested or unclosed.

    An unclosed span reaches to the end. Text without such a tag comes back as it is.
    """
    for tag in TAGS:
        text = _drop(text, tag)
    return text


def _drop(text: str, tag: str) -> str:
    lower = text.lower()
    opening = "<" + tag
    if opening not in lower:
        return text
    if len(lower) != len(text):  # a few letters grow when lowered: lower the ASCII ones alone
        lower = text.translate({upper: upper + 32 for upper in range(65, 91)})
    kept: list[str] = []
    at = 0
    for _ in range(MOST_SPANS):
        start = _tag_at(lower, opening, at)
        if start < 0:
            kept.append(text[at:])
            break
        kept.append(text[at:start])
        kept.append(f"[{tag}]")
        at = _span_end(lower, tag, start)
    return "".join(kept)


def _tag_at(lower: str, opening: str, at: int) -> int:
    while True:
        at = lower.find(opening, at)
        if at < 0:
            return -1
        if lower[at + len(opening) : at + len(opening) + 1] in ("", ">", "/", " ", "\t", "\r", "\n"):
            return at
        at += len(opening)


def _span_end(lower: str, tag: str, start: int) -> int:
    """Where the span that opens at ``start`` ends, counting the spans nested in it."""
    opening, closing = "<" + tag, "</" + tag
    depth, at = 1, start + len(opening)
    for _ in range(MOST_SPANS):
        close = lower.find(closing, at)
        if close < 0:
            return len(lower)
        inner = _tag_at(lower, opening, at)
        if 0 <= inner < close:
            depth += 1
            at = inner + len(opening)
            continue
        depth -= 1
        at = close + len(closing)
        if depth == 0:
            end = lower.find(">", at)
            return len(lower) if end < 0 else end + 1
    return len(lower)
