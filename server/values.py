"""What no input may hold, whatever its model says: text that cannot be stored, and nesting without end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.errors import InvalidInput

DEEPEST = 32
MOST_WRONG = 20
LARGEST = 2**63 - 1


def check(values: Mapping[str, Any]) -> None:
    """Raise InvalidInput for a NUL, half a surrogate pair, a number of more than 64 bits, or too deep a nesting."""
    wrong = [found for _, found in zip(range(MOST_WRONG), _wrong(values, (), 0), strict=False)]
    if wrong:
        raise InvalidInput(wrong)


def _wrong(value: Any, path: tuple[str, ...], depth: int) -> Iterator[tuple[str, str]]:
    place = ".".join(path)
    if depth > DEEPEST:
        yield ".".join(path[:4]), f"It is nested more than {DEEPEST} levels deep."
    elif isinstance(value, str):
        if "\0" in value:
            yield place, "The text holds the character U+0000, which cannot be stored."
        elif any("\ud800" <= character <= "\udfff" for character in value):
            yield place, "The text holds half of a surrogate pair, which is no character."
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) > LARGEST:
            yield place, "The number has more than 64 bits."
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if (bad := next(_wrong(key, (), 0), None)) is not None:
                yield place, bad[1].replace("The text", "A key")
            else:
                yield from _wrong(inner, (*path, key), depth + 1)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _wrong(inner, (*path, str(number)), depth + 1)
