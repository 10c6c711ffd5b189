"""The settings file as a running process follows it: looked at cheaply, read again once it has changed."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping

from limbeck.configure.change import problem
from limbeck.configure.meanings import MEANINGS
from limbeck.errors import BadSetting
from limbeck.settings import CONFIG, Settings, known_settings, load
from schema.errors import LimbeckError

log = logging.getLogger("limbeck.settings")
Signature = tuple[int, int, int] | None


class Followed:
    """The settings in force in this process, and the file they come from.

    ``trouble`` says why what the file says now is not taken; empty where it is.
    """

    def __init__(self, settings: Settings, environment: Mapping[str, str] | None = None) -> None:
        """``settings`` were read before; the first look reads the file again, as it may have changed since."""
        self.settings, self.trouble = settings, ""
        self._environment = environment
        self._seen: Signature | str = "not yet"

    def look(self) -> Settings | None:
        """Return the new settings where the file has changed and can be used, else None: those of before stay."""
        found = _signature(self.settings)
        if found == self._seen:
            return None
        self._seen = found
        try:
            new, self.trouble = self._read(), ""
        except LimbeckError as error:
            self.trouble = f"What {CONFIG} says now is not taken: {error}"
            log.warning("%s", self.trouble)
            return None
        if (new, new.sources) == (self.settings, self.settings.sources):
            return None
        self.settings = new
        return new

    def _read(self) -> Settings:
        env = dict(os.environ if self._environment is None else self._environment)
        new = load(env | {"LIMBECK_HOME": str(self.settings.home)})
        if (met := problem(new)) is not None and met != problem(self.settings):
            raise BadSetting(name=met[0], why=met[1])
        return new


def changed(before: Settings, after: Settings) -> list[str]:
    """The names of the settings whose values differ."""
    return [name for name in known_settings() if getattr(before, name) != getattr(after, name)]


def waits(names: Iterable[str]) -> bool:
    """Whether a change of these holds from the next start only; then whatever was changed with it waits too."""
    return any(not MEANINGS[name].parts for name in names)


def _signature(settings: Settings) -> Signature:
    try:
        found = (settings.home / CONFIG).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
