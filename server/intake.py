"""The queue as the server sees it: events of a client go to that client's stream, and to no other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from capture.queue import stream_key
from server.errors import Unavailable

if TYPE_CHECKING:
    from redis import Redis

CLIENTS = "limbeck:clients"
SECONDS = 5.0


class Intake:
    """Appends to streams on one Redis. Safe to use from several threads; nothing is connected before the first use."""

    def __init__(self, url: str, high_water: int) -> None:
        """``url`` is redis-py's; above ``high_water`` waiting events nothing more is taken."""
        self._url, self._high_water = url, high_water

    def append(self, client: str, lines: Sequence[bytes]) -> None:
        """Append all ``lines`` to the client's stream, in order.

        Raises Unavailable where it is full or does not answer: some may be there then, and their ids tell when they
        come again.
        """
        from redis import RedisError

        key = stream_key(client)
        try:
            if int(self._redis.xlen(key)) >= self._high_water:
                raise Unavailable
            with self._redis.pipeline(transaction=False) as pipeline:
                pipeline.sadd(CLIENTS, client)
                for line in lines:
                    pipeline.xadd(key, {"e": line})
                pipeline.execute()
        except (RedisError, OSError) as error:
            raise Unavailable from error

    @cached_property
    def _redis(self) -> Redis:
        from redis import Redis

        return Redis.from_url(self._url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
