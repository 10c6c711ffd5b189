"""What the readers of transcripts give: an event with the time and the identity its record has."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from capture.event import Event


@dataclass(frozen=True, slots=True)
class Recorded:
    """``at`` is in Unix milliseconds; ``seed`` names the record, so that a second import makes the same id."""

    event: Event
    at: int
    seed: str

    @property
    def ident(self) -> str:
        """A UUIDv7 of the record's time, its random part drawn from ``seed``."""
        tail = int.from_bytes(blake2b(self.seed.encode(), digest_size=10).digest(), "big")
        value = ((self.at & (1 << 48) - 1) << 80) | (7 << 76) | ((tail >> 68 & 0xFFF) << 64) | (2 << 62)
        value |= tail & ((1 << 62) - 1)
        digits = f"{value:032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line that is no record: its number, counted from 1."""

    number: int


def milliseconds(stamp: object) -> int | None:
    """A record's ISO 8601 time in Unix milliseconds; None where it is none."""
    if not isinstance(stamp, str):
        return None
    try:
        at = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return int(at.timestamp() * 1000) if at.tzinfo else None
