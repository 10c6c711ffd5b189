"""Change settings where `limbeck` keeps them: ``config.toml`` in the home, as one act, its comments kept."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from filelock import FileLock, Timeout
from tomlkit.items import Array

from limbeck.configure.versions import value_text, version_of
from limbeck.errors import BadSetting, SettingsBusy
from limbeck.install.files import read, replace
from limbeck.private import private_home
from limbeck.settings import CONFIG, PREFIX, Settings, known_settings, load, read_value
from recall.embedding.choose import ADDRESS, may_be_sent_to
from server.errors import Stale

PATIENCE = 10.0  # seconds for another change that is being written
OTHERS = 0o077


def change(
    home: Path,
    wanted: Mapping[str, str | None],
    environment: Mapping[str, str] | None = None,
    seen: Mapping[str, str] | None = None,
) -> Settings:
    """Write the ``wanted`` values (a list's one a line; None takes one out) and return the settings as they are then.

    All or none: nothing is written where one cannot be used, where the environment sets it (it would win), or where
    they do not go together, or where a value is another than the one of the version that was ``seen``. Raises
    UnknownSetting, BadSetting, BadSettingsFile, SettingsBusy, SettingsNotWritable, and Stale.
    """
    env = dict(os.environ if environment is None else environment) | {"LIMBECK_HOME": str(home)}
    values = {name: _value(name, text) for name, text in wanted.items()}
    for name in wanted:
        if (variable := set_by(name, env)) is not None:
            raise BadSetting(name=name, why=f"it is set by {variable}, which wins; change it there")
    private_home(home)
    try:
        with FileLock(home / f".{CONFIG}.lock", timeout=PATIENCE, mode=0o600):
            return _written(home / CONFIG, values, env, seen or {})
    except Timeout:
        raise SettingsBusy(path=home / CONFIG) from None


def set_by(name: str, environment: Mapping[str, str]) -> str | None:
    """The variable that sets ``name`` there, None where none does."""
    variable = PREFIX + name.upper()
    return next((one for one in (variable, f"{variable}_FILE") if one in environment), None)


def problem(settings: Settings) -> tuple[str, str] | None:
    """Name a setting that does not go with another one, and say why: a part could not work so. None where all do."""
    if settings.distiller == "anthropic" and not settings.anthropic_api_key:
        return "distiller", "anthropic needs anthropic_api_key"
    if settings.embeddings == "voyage" and not settings.embeddings_key:
        return "embeddings", "voyage needs embeddings_key"
    if settings.embeddings == "openai" and not (settings.embeddings_key or settings.embeddings_url):
        return "embeddings", "openai needs embeddings_key, or embeddings_url of a server of your own"
    over_network = settings.embeddings in ("openai", "voyage")
    if over_network and settings.embeddings_url and not may_be_sent_to(settings.embeddings_url):
        return "embeddings_url", ADDRESS
    return None


def _value(name: str, text: str | None) -> Any:
    """What stands in the file for ``text``; None for nothing. Raises UnknownSetting and BadSetting."""
    if text is None and name in known_settings():
        return None
    return read_value(name, text or "", "a change")


def _written(
    path: Path, values: Mapping[str, Any], environment: Mapping[str, str], seen: Mapping[str, str]
) -> Settings:
    before = read(path)
    standing = load(environment, config=before or "")
    _check_seen(standing, seen)
    found = problem(standing)  # what is wrong already keeps nothing else from changing
    document = tomlkit.parse(before or "")
    for name, value in values.items():
        if value is None or value == ():
            document.pop(name, None)
        else:
            document[name] = _lines(value) if isinstance(value, tuple) else value
    after = tomlkit.dumps(document)
    settings = load(environment, config=after)
    if (met := problem(settings)) is not None and met != found:
        raise BadSetting(name=met[0], why=met[1])
    if after != (before or ""):
        _keep_private(path)
        replace(path, before, after)
    return settings


def _check_seen(standing: Settings, seen: Mapping[str, str]) -> None:
    """Raise Stale where a value is another than the one that was seen, BadSetting where a secret's is given."""
    known = known_settings()
    for name, version in seen.items():
        if name in known and known[name].metadata["secret"]:
            raise BadSetting(name=name, why="a secret has no version; leave it out")
        if version_of(standing, name) != version:
            now = value_text(getattr(standing, name), secret=False).replace("\n", ", ")
            raise Stale(why=f"{name} is now {now or 'not set'}; nothing was changed")


def _lines(values: tuple[str, ...]) -> Array:
    array = tomlkit.array()
    array.extend(values)
    return array.multiline(len(values) > 1)


def _keep_private(path: Path) -> None:
    if sys.platform != "win32" and path.exists() and stat.S_IMODE(path.stat().st_mode) & OTHERS:
        path.chmod(0o600)
