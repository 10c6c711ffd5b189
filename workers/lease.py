"""Who may drain a stream: two at once, so that one redacts while the other writes; they commit in its order.

A lease is a key that names its holder and the first entry of the batch in hand. It ends by itself 15 s after its
holder last gave a sign of life. Reading a batch and noting its first entry are one step on the server, so whoever
reads next knows whom to wait for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, cast

from redis import Redis

from workers.stream import FIELD, GROUP, Entry, Stream

SLOTS = 2
BATCH = 500  # entries read at once
LEASE_MS = 15_000
LOOK_S = 0.002

_READ = """
if not string.find(redis.call('get', KEYS[2]) or '', ARGV[4], 1, true) then return 0 end
local read = redis.call('xreadgroup', 'GROUP', ARGV[1], ARGV[2], 'COUNT', ARGV[3], 'STREAMS', KEYS[1], '>')
local ids, sizes, payloads, first = {}, {}, {}, ''
for _, entry in ipairs(read and read[1][2] or {}) do
  local payload = false
  for at = 1, #entry[2], 2 do if entry[2][at] == ARGV[6] then payload = entry[2][at + 1] end end
  ids[#ids + 1] = entry[1]
  sizes[#sizes + 1] = payload and #payload or -1
  payloads[#payloads + 1] = payload or ''
end
if ids[1] then first = ' ' .. ids[1] end
redis.call('set', KEYS[2], ARGV[4] .. first, 'PX', ARGV[5])
return {table.concat(ids, ' '), table.concat(sizes, ' '), table.concat(payloads)}
"""
_EXTEND = """
if not string.find(redis.call('get', KEYS[1]) or '', ARGV[1], 1, true) then return 0 end
return redis.call('pexpire', KEYS[1], ARGV[2])
"""
_RESTORE = """
if not string.find(redis.call('get', KEYS[1]) or '', ARGV[1], 1, true) then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
_RELEASE = """
if string.find(redis.call('get', KEYS[1]) or '', ARGV[1], 1, true) then return redis.call('del', KEYS[1]) end
return 0
"""


class LeaseLost(Exception):
    """This drain gave no sign of life for 15 s, so another may have taken its place."""


class Lease:
    """One of a stream's two slots, held by one drain."""

    def __init__(self, stream: Stream, holder: str) -> None:
        """``holder`` is an id that no other drain has; nothing is taken yet."""
        self._stream, self._holder = stream, holder
        self._keys = keys(stream.client)
        self._key = ""

    def take(self) -> bool:
        """Take a free slot; False where there is none."""
        for key in self._keys:
            if self._redis.set(key, self._holder, nx=True, px=LEASE_MS):
                self._key = key
                return True
        return False

    def read(self, count: int) -> list[Entry]:
        """Take up to ``count`` entries nobody has seen yet, without waiting. Raises LeaseLost."""
        stream = self._stream
        arguments = (GROUP, stream.consumer, count, self._holder, LEASE_MS, FIELD)
        found: Any = self._redis.eval(_READ, 2, stream.key, self._key, *arguments)
        if not isinstance(found, list):
            raise LeaseLost
        return list(_entries(*found))

    def wait_for_turn(
        self,
        first: str,
        alive: Callable[[], None] = lambda: None,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        """Wait until no other drain holds a batch from before entry ``first``; the dead are not waited for.

        ``alive`` is called with every look, to give signs of life meanwhile.
        """
        others = [key for key in self._keys if key != self._key]
        while any(earlier(value, first) for value in cast("list[bytes | None]", self._redis.mget(others))):
            alive()
            pause(LOOK_S)

    def extend(self) -> None:
        """Give a sign of life. Raises LeaseLost."""
        if not self._redis.eval(_EXTEND, 1, self._key, self._holder, LEASE_MS):
            raise LeaseLost

    def done(self) -> None:
        """The batch is committed: whoever waits for it may go on. Raises LeaseLost."""
        if not self._redis.eval(_RESTORE, 1, self._key, self._holder, LEASE_MS):
            raise LeaseLost

    def release(self) -> None:
        """Give the slot back if it is still ours."""
        self._redis.eval(_RELEASE, 1, self._key, self._holder)

    @property
    def _redis(self) -> Redis:
        return self._stream.redis


def _entries(ids: bytes, sizes: bytes, payloads: bytes) -> Iterator[Entry]:
    """The entries of a batch, which come in three strings: a thousand small ones take the client long to read."""
    at = 0
    for identifier, size in zip(ids.decode().split(), map(int, sizes.split()), strict=True):
        yield Entry(identifier, payloads[at : at + size] if size >= 0 else None)
        at += max(size, 0)


def keys(client: str) -> list[str]:
    """The keys of a client's slots."""
    return [f"limbeck:{{{client}}}:lease:{slot}" for slot in range(SLOTS)]


def held(stream: Stream) -> int:
    """How many drains are at work on the stream."""
    return stream.redis.exists(*keys(stream.client))


def wanted(waiting: int, at_work: int) -> int:
    """How many more drains ``waiting`` entries call for, when ``at_work`` are there: a second one for a backlog."""
    if not waiting:
        return 0
    return max(0, (SLOTS if waiting > 2 * BATCH else 1) - at_work)


def earlier(value: bytes | None, first: str) -> bool:
    """Whether the lease ``value`` tells of a batch that begins before entry ``first``."""
    _, _, theirs = (value or b"").partition(b" ")
    return bool(theirs) and _place(theirs.decode()) < _place(first)


def _place(entry: str) -> tuple[int, int]:
    milliseconds, _, number = entry.partition("-")
    return int(milliseconds), int(number)
