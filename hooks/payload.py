"""Reading an agent's JSON: whatever is missing or of another type is simply not there."""

from __future__ import annotations

from capture.jsonio import parse

PADDING = "\ufeff\x00"


class Unreadable(Exception):
    """What came on standard input is not a JSON object."""


def decode(raw: bytes) -> dict[str, object]:
    """Return the object in ``raw`` (UTF-8, padded or not); raises Unreadable where there is none."""
    text = raw.decode("utf-8", "replace")
    if text[:1] in PADDING or text[-1:] in PADDING:
        text = text.strip(PADDING)
    try:
        value = parse(text)
    except ValueError:
        raise Unreadable from None
    if not isinstance(value, dict):
        raise Unreadable
    return value


def text(table: dict[str, object], *keys: str) -> str | None:
    """Return the first non-empty string under ``keys``."""
    for key in keys:
        value = table.get(key)
        if isinstance(value, str) and value:
            return value
    return None


def number(table: dict[str, object], key: str) -> int | None:
    """Return the whole number under ``key``, rounded where it is not whole, within what a row can hold."""
    value = table.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -(2**31) < value < 2**31:
        return None
    return int(value)


def table(holder: dict[str, object], key: str) -> dict[str, object]:
    """Return the object under ``key``, an empty one where there is none."""
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def command(value: object) -> str | None:
    """Return a shell command given as text or as a list of words (``["bash", "-lc", "..."]``)."""
    if isinstance(value, str):
        return value or None
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        return None
    if len(value) == 3 and value[1] in ("-c", "-lc"):
        return str(value[2])
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in value) or None


def exit_code(said: str, before: str) -> int | None:
    """Return the number that follows ``before`` in ``said``, where there is one."""
    at = said.find(before)
    if at < 0:
        return None
    rest = said[at + len(before) : at + len(before) + 12].lstrip()
    digits = ""
    for sign in rest:
        if not (sign.isascii() and sign.isdigit()) and not (sign == "-" and not digits):
            break
        digits += sign
    return int(digits) if digits.strip("-") else None
