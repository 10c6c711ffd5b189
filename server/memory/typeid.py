"""TypeIDs: a UUID with the name of what it stands for, ``mem_`` and 26 characters of Crockford's base 32."""

from __future__ import annotations

from uuid import UUID

MEMORY = "mem"
CONTEXT = "mctx"
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 26
_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}


def encode(prefix: str, identifier: str | UUID) -> str:
    """Return the UUID ``identifier`` as a TypeID; those of one prefix sort as their UUIDs do."""
    number = UUID(str(identifier)).int
    letters = [ALPHABET[number >> shift & 31] for shift in range(5 * (LENGTH - 1), -1, -5)]
    return f"{prefix}_{''.join(letters)}"


def plain(typed: str) -> str:
    """Return the UUID where ``typed`` is a memory's TypeID, else ``typed`` as it is."""
    return decode(MEMORY, typed) or typed


def decode(prefix: str, typed: str) -> str | None:
    """Return the UUID in ``typed``, in its 36 characters; None where it is no TypeID of ``prefix``."""
    name, _, letters = typed.rpartition("_")
    if name != prefix or len(letters) != LENGTH or letters[0] > "7":
        return None
    number = 0
    for letter in letters:
        value = _VALUES.get(letter)
        if value is None:
            return None
        number = number << 5 | value
    return str(UUID(int=number))
