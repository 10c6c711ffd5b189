"""What the supervisor does with settings that change while it runs: hooks are told, parts that use them renewed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from limbeck.configure.followed import Followed, changed, waits
from limbeck.configure.meanings import HOOKS, MEANINGS
from limbeck.services.highwater import HighWater
from limbeck.services.kept import Kept
from limbeck.services.server import Server
from limbeck.settings import CONFIG, Settings

LATER = f"{{names}} in {CONFIG}: from `limbeck down` and `limbeck up` on."
log = logging.getLogger("limbeck.supervisor")


class Taking:
    """Follows the settings file. ``settings`` are those in force, ``notes`` what a person has to know of the others."""

    def __init__(
        self,
        settings: Settings,
        kept: Sequence[Kept],
        high_water: HighWater,
        tell_hooks: Callable[[Settings], object],
    ) -> None:
        """Nothing is looked at yet."""
        self.settings, self._followed = settings, Followed(settings)
        self._kept, self._high_water, self._tell_hooks = kept, high_water, tell_hooks
        self.notes: list[str] = []

    def look(self) -> bool:
        """Take what has changed; returns whether ``notes`` did.

        Where something waits for the next start, the rest waits with it: parts that are started again now would take
        all of the file, and the others not.
        """
        told = self.notes
        self._followed.look()
        names = changed(self.settings, self._followed.settings)
        self.notes = [self._followed.trouble] if self._followed.trouble else []
        if waits(names):
            self.notes.append(LATER.format(names=", ".join(names)))
        elif names:
            self.settings = self._followed.settings
            self._take(self.settings, names)
        return self.notes != told

    def _take(self, new: Settings, names: list[str]) -> None:
        log.info("the settings have changed: %s", ", ".join(names))
        parts = {part for name in names for part in MEANINGS[name].parts}
        self._high_water.high = new.queue_high_water
        if HOOKS in parts:
            self._tell_hooks(new)
        for kept in self._kept:
            if isinstance(kept.service, Server):
                kept.service.move(new.server_host, new.server_port)
            if kept.name in parts:
                kept.renew()
