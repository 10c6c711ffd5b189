"""Patterns over paths and names: ``*`` within a part, ``**`` over parts, ``?`` for one character."""

from __future__ import annotations


def matches(pattern: str, text: str) -> bool:
    """Whether ``text`` as a whole fits ``pattern``; ``*`` and ``?`` do not cross a slash, ``**`` does."""
    if "*" not in pattern and "?" not in pattern:
        return pattern == text
    return _may(pattern, text) and _fits(pattern, text)


def _may(pattern: str, text: str) -> bool:
    """Whether ``text`` holds what is literal in ``pattern``: nearly every pattern is done with this."""
    return all(map(text.__contains__, pattern.replace("**/", "*").replace("?", "*").split("*")))


def _fits(pattern: str, text: str) -> bool:
    states = {0}
    signs = _signs(pattern)
    last = len(signs)
    for char in text:
        after: set[int] = set()
        for state in _closed(signs, states):
            if state == last:
                continue
            sign = signs[state]
            if sign == "**" or (sign == "*" and char != "/"):
                after.add(state)
            elif sign == char or (sign == "?" and char != "/"):
                after.add(state + 1)
        states = after
        if not states:
            return False
    return last in _closed(signs, states)


def covers(pattern: str, path: str) -> bool:
    """Whether ``pattern``, written as in a .gitignore, covers the relative ``path`` or a directory above it.

    A pattern without a slash fits at any depth; a trailing slash means a directory.
    """
    pattern = pattern.rstrip("/")
    anchored = "/" in pattern
    pattern = pattern.lstrip("/")
    if not pattern:
        return False
    if not _may(pattern, path):
        return False
    parts = path.split("/")
    if not anchored:
        return any(matches(pattern, part) for part in parts)
    return any(matches(pattern, "/".join(parts[: end + 1])) for end in range(len(parts)))


def _signs(pattern: str) -> list[str]:
    """Single characters, ``*`` and ``**``; ``**/`` also stands for no part at all."""
    signs: list[str] = []
    at = 0
    while at < len(pattern):
        if pattern.startswith("**", at):
            signs.append("**")
            at += 3 if pattern.startswith("/", at + 2) else 2
        else:
            signs.append(pattern[at])
            at += 1
    return signs


def _closed(signs: list[str], states: set[int]) -> set[int]:
    """Add what is reachable by letting stars stand for nothing."""
    found = set(states)
    for state in states:
        at = state
        while at < len(signs) and signs[at] in ("*", "**"):
            at += 1
            found.add(at)
    return found
