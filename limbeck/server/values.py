"""The settings that operations may need."""

from __future__ import annotations

from limbeck.server.measured import measuring
from limbeck.server.shown import shown
from limbeck.services.workers import classifying
from limbeck.settings import Settings


def values_of(settings: Settings) -> dict[str, object]:
    """Return them by name; no secret and no address is among them.

    ``settings`` are all of them as people may see them, ``measure`` looks at the queue and the spool,
    ``classifier`` makes the one that turns what was said into drafts.
    """
    return {
        "home": str(settings.home),
        "daily_usd": settings.daily_usd,
        "session_usd": settings.session_usd,
        "at_cap": settings.at_cap,
        "settings": shown(settings),
        "measure": measuring(settings),
        "classifier": classifying(settings),
    }
