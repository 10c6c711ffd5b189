"""The settings as people may see them: each with its value and where it was set; of a secret only whether it is."""

from __future__ import annotations

from dataclasses import Field
from pathlib import PurePath
from typing import Any

from limbeck.configure.afar import SENT_TO, kept_from, runs_here
from limbeck.configure.meanings import MEANINGS
from limbeck.configure.versions import value_text, version_of
from limbeck.settings import CONFIG, PREFIX, OneOf, Settings, known_settings


def shown(settings: Settings) -> list[dict[str, Any]]:
    """Every setting: what it means, its value as text ("" where there is none), its source, and how it is changed."""
    here = runs_here(settings)
    return [_shown(settings, item, here) for item in known_settings().values()]


def _shown(settings: Settings, item: Field[Any], here: bool) -> dict[str, Any]:
    name, secret = item.name, item.metadata["secret"]
    return {
        "name": name,
        "says": MEANINGS[name].says,
        "value": value_text(getattr(settings, name), secret=secret),
        "usual": "" if secret else value_text(item.default, secret=False),
        "source": source_of(settings, name),
        "secret": secret,
        "kind": _kind(item),
        "choices": list(item.metadata["read"].choices) if isinstance(item.metadata["read"], OneOf) else [],
        "variable": PREFIX + name.upper(),
        "version": "" if secret else version_of(settings, name),
        "kept_from": kept_from(settings, name, here=here),
        "goes_with": SENT_TO.get(name, "") if getattr(settings, SENT_TO.get(name, name)) else "",
    }


def source_of(settings: Settings, name: str) -> str:
    """`default`, the settings file's name, or the variable."""
    source = settings.sources.get(name)
    if source is None:
        return "default"
    return source if source.startswith(PREFIX) else PurePath(source).name or CONFIG


def _kind(item: Field[Any]) -> str:
    if item.metadata["secret"]:
        return "secret"
    if isinstance(item.metadata["read"], OneOf):
        return "choice"
    if isinstance(item.default, tuple):
        return "lines"
    return "number" if "int" in str(item.type) or "float" in str(item.type) else "text"
