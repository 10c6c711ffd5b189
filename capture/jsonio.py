"""JSON as the envelope wants it: compact, UTF-8, one line."""

from __future__ import annotations

import json


def parse(text: str) -> object:
    """Return the value written in ``text``; ValueError where it is no JSON (too deep included)."""
    try:
        value: object = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def encode(value: object) -> bytes:
    """Return ``value`` as compact UTF-8 without line breaks; a lone surrogate becomes a question mark."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
