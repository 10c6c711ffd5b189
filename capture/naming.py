"""Telling a name somebody chose from a value somebody generated, strictly: in doubt it is a value."""

from __future__ import annotations

from capture.words import EXTENSIONS, listed

VOWELS = "aeiouy"
LONGEST_PART = 64
LONGEST_PIECE = 20
LONGEST_PATH = 160
PATH_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/@+~*")
UPPER = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
LOWER = frozenset("abcdefghijklmnopqrstuvwxyz")


def wordlike(piece: str) -> bool:
    """Whether a run of letters and digits reads like a word, a short number or the two together (``py311``)."""
    stem = piece.rstrip("0123456789")
    if len(piece) - len(stem) > (4 if not stem else 3) or len(piece) > LONGEST_PIECE:
        return False
    return all(_sayable(part) for part in _camel(stem))


def _camel(stem: str) -> list[str]:
    """``UserServiceTest`` as its words; a run of capitals is one."""
    parts: list[str] = []
    start = 0
    for at in range(1, len(stem)):
        if stem[at] in UPPER and stem[at - 1] not in UPPER:
            parts.append(stem[start:at])
            start = at
    parts.append(stem[start:])
    return [part for part in parts if part]


def _sayable(part: str) -> bool:
    head, rest = part[0], part[1:]
    capitals = all(sign in UPPER for sign in part)
    if not capitals and (head not in LOWER and head not in UPPER):
        return False
    if not capitals and any(sign not in LOWER for sign in rest):
        return False
    if capitals and len(part) > 12:
        return False
    lower = part.lower()
    if len(lower) <= 2:
        return len(part) == 2 or not capitals or lower in "aix"
    run = longest = vowels = 0
    for sign in lower:
        if sign in VOWELS:
            vowels += 1
            run = 0
        else:
            run += 1
            longest = max(longest, run)
    if len(lower) <= 4:
        return True
    return vowels > 0 and longest <= 4 and vowels * 8 >= len(lower)


def name(text: str) -> bool:
    """Whether every piece of a dotted, dashed or underscored name is word-like."""
    pieces = text.replace("-", ".").replace("_", ".").replace("+", ".").replace("@", ".").split(".")
    if len(text) > LONGEST_PART or sum(1 for piece in pieces if piece) > 8:
        return False
    single = sum(1 for piece in pieces if len(piece) == 1)
    return any(pieces) and single <= 2 and all(not piece or wordlike(piece) for piece in pieces)


def pathlike(text: str, bare: bool = True) -> bool:
    """Whether ``text`` is a file's path: each part reads as a name, and it has a known extension or a slash.

    ``bare`` False asks for the extension even where there is a slash.
    """
    if not 1 < len(text) <= LONGEST_PATH or not all(sign in PATH_SIGNS for sign in text):
        return False
    parts = text.split("/")
    last = parts[-1]
    known = "." in last and listed(last.rpartition(".")[2].lower(), EXTENSIONS)
    if not known and not (bare and len(parts) > 1):
        return False
    return all(part in ("", ".", "..", "~", "*", "**") or name(part.replace("*", "")) for part in parts)
