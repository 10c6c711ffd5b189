"""The settings as people may see them: each with its value and where it was set; of a secret only whether it is."""

from __future__ import annotations

from dataclasses import fields
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from limbeck.settings import CONFIG, PREFIX, Settings


def shown(settings: Settings) -> list[dict[str, Any]]:
    """Every setting: ``name``, ``value`` as text ("" where there is none), ``source``, ``secret`` and ``variable``."""
    return [
        {
            "name": item.name,
            "value": _value(getattr(settings, item.name), secret=item.metadata["secret"]),
            "source": _source(settings.sources.get(item.name)),
            "secret": item.metadata["secret"],
            "variable": PREFIX + item.name.upper(),
        }
        for item in fields(Settings)
        if "read" in item.metadata
    ]


def _value(value: object, *, secret: bool) -> str:
    if secret:
        return "" if value is None else "set"
    if isinstance(value, tuple):
        return "\n".join(value)
    return "" if value is None else _without_user(str(value))


def _without_user(text: str) -> str:
    """An address without a name and password that may stand in it."""
    parts = urlsplit(text) if "://" in text else None
    if parts is None or "@" not in parts.netloc:
        return text
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _source(source: str | None) -> str:
    if source is None:
        return "default"
    return source if source.startswith(PREFIX) else PurePath(source).name or CONFIG
