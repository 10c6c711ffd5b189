"""How often a token may ask, and how often signing in may fail from one address.

Both are counted in this process's memory: with several servers each counts for itself.
"""

from __future__ import annotations

import math
import time
from ipaddress import IPv4Address, ip_address

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from server.errors import TooMany, TooManyFailed
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
            raise TooMany(seconds=_seconds_left(self._limiter, self._item, principal.client, principal.token))


class FailureLimit:
    """At most so many sign-ins a minute that fail from one address; those that succeed are not counted."""

    def __init__(self, a_minute: int) -> None:
        """``a_minute`` may fail; 0 sets no limit."""
        self._item = RateLimitItemPerMinute(a_minute) if a_minute else None
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def check(self, address: str | None) -> None:
        """Raise TooManyFailed where too many failed from ``address`` lately; None is nobody's address."""
        if self._item is None or address is None:
            return
        place = network(address)
        if not self._limiter.test(self._item, place):
            raise TooManyFailed(seconds=_seconds_left(self._limiter, self._item, place))

    def failed(self, address: str | None) -> None:
        """Count one that failed."""
        if self._item is not None and address is not None:
            self._limiter.hit(self._item, network(address))


def network(address: str) -> str:
    """What counts as one address: of IPv6 the first 64 bits, since one machine has all the others."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{int(found) >> 64:016x}"


def _seconds_left(limiter: SlidingWindowCounterRateLimiter, item: RateLimitItemPerMinute, *whose: str) -> int:
    stats = limiter.get_window_stats(item, *whose)
    return max(1, math.ceil(stats.reset_time - time.time()))
