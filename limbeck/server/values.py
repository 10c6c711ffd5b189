"""The settings that operations may need."""

from __future__ import annotations

from limbeck.settings import Settings


def values_of(settings: Settings) -> dict[str, object]:
    """Return them by name; no secret and no address is among them."""
    return {
        "home": str(settings.home),
        "daily_usd": settings.daily_usd,
        "session_usd": settings.session_usd,
        "at_cap": settings.at_cap,
    }
