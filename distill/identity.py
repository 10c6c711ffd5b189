"""Ids that follow from what they name, so that deciding stays pure."""

from __future__ import annotations

import hashlib
from datetime import datetime
from uuid import UUID


def derived_id(at: datetime, *parts: str) -> str:
    """Return a UUIDv7 whose time is ``at`` and whose other bits are a digest of ``parts``."""
    digest = hashlib.sha256("\x1f".join(parts).encode()).digest()
    milliseconds = int(at.timestamp() * 1000) & ((1 << 48) - 1)
    number = (milliseconds << 80) | (int.from_bytes(digest[:10], "big"))
    number = (number & ~(0xF << 76)) | (0x7 << 76)
    number = (number & ~(0x3 << 62)) | (0x2 << 62)
    return str(UUID(int=number))


def short_key(*parts: str) -> str:
    """Return 16 hex digits that stand for ``parts``: the key under which a repeat is recognised."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]
