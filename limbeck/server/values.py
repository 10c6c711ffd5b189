"""The settings that operations may need, as they are now: the file is read again once it has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from limbeck.configure.afar import change_afar
from limbeck.configure.followed import Followed, changed, waits
from limbeck.configure.holding import Holding, holding
from limbeck.server.measured import measuring
from limbeck.server.shown import shown
from limbeck.services import state as states
from limbeck.services.home import Home
from limbeck.services.workers import classifying
from limbeck.settings import Settings


def values_of(settings: Settings) -> dict[str, object]:
    """Return them by name; no secret and no address is among them.

    ``settings`` are all of them as people may see them, ``configure`` changes some and says from when on that holds,
    ``owner`` is whose client the machine is, ``measure`` looks at the queue and the spool, ``classifier`` makes the one
    that turns what was said into drafts.
    """
    return {
        "home": str(settings.home),
        "owner": settings.client,
        "daily_usd": settings.daily_usd,
        "session_usd": settings.session_usd,
        "at_cap": settings.at_cap,
        "settings": lambda: shown(settings),
        "configure": lambda wanted, seen: _changed(settings, wanted, seen),
        "measure": measuring(settings),
        "classifier": classifying(settings),
    }


def _changed(settings: Settings, wanted: Mapping[str, str | None], seen: Mapping[str, str]) -> Holding:
    new = change_afar(settings, wanted, seen)
    return holding(wanted, new, states.read(Home(settings.home).run))


class Values(Mapping[str, Any]):
    """What ``values_of`` says of the settings in force. Safe to use from several threads."""

    def __init__(self, settings: Settings, taken: Callable[[Settings], object] = lambda _: None) -> None:
        """``taken`` is told each time the settings in force have changed."""
        self._settings, self._followed, self._taken = settings, Followed(settings), taken
        self._lock = threading.Lock()
        self._values = values_of(settings)

    def _now(self) -> dict[str, object]:
        with self._lock:
            settings = self._followed.look()
            # The other parts take nothing either while something waits for the next start.
            if settings is not None and not waits(changed(self._settings, settings)):
                self._settings, self._values = settings, values_of(settings)
                self._taken(settings)
            return self._values

    def __getitem__(self, name: str) -> Any:
        """A value as it is now."""
        return self._now()[name]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._values)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._values)
