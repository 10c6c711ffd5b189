"""A setting's value as people see it, and the mark by which a change is told which value it was decided on."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit, urlunsplit

from limbeck.settings import Settings


def value_text(value: object, *, secret: bool) -> str:
    """A value as text: of a list one a line, of a secret `set` or nothing, of an address no password."""
    if secret:
        return "" if value is None else "set"
    if isinstance(value, tuple):
        return "\n".join(value)
    return "" if value is None else _without_user(str(value))


def version_of(settings: Settings, name: str) -> str:
    """Twelve characters that change with the value of ``name``, which is no secret."""
    text = value_text(getattr(settings, name), secret=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _without_user(text: str) -> str:
    """An address without a name and password that may stand in it."""
    parts = urlsplit(text) if "://" in text else None
    if parts is None or "@" not in parts.netloc:
        return text
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
