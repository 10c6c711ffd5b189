"""UUIDv7 ids (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then randomness; they sort by time."""

from __future__ import annotations

from os import urandom
from time import time


def new_id(ms: int | None = None) -> str:
    """Return a fresh id in its 36-character form; ``ms`` is the time to put in, Unix milliseconds (default now)."""
    stamp = int(time() * 1000) if ms is None else ms
    stamp &= (1 << 48) - 1
    tail = int.from_bytes(urandom(10), "big")
    value = (stamp << 80) | (7 << 76) | ((tail >> 68 & 0xFFF) << 64) | (2 << 62) | (tail & ((1 << 62) - 1))
    digits = f"{value:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
