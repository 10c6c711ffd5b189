"""How often a token may ask. Counted in this process's memory: with several servers each counts for itself."""

from __future__ import annotations

import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from server.errors import TooMany
from server.principal import Principal


class RateLimit:
    """At most so many requests a minute with one token, over every rendering together."""

    def __init__(self, a_minute: int) -> None:
        """``a_minute`` requests are let through; 0 sets no limit."""
        self._item = RateLimitItemPerMinute(a_minute) if a_minute else None
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def count(self, principal: Principal) -> None:
        """Count one request. Raises TooMany; a principal without a token (the owner's own process) is not limited."""
        if self._item is None or principal.token is None:
            return
        if not self._limiter.hit(self._item, principal.client, principal.token):
            stats = self._limiter.get_window_stats(self._item, principal.client, principal.token)
            raise TooMany(seconds=max(1, math.ceil(stats.reset_time - time.time())))
