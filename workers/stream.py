"""One client's Redis stream: read, take over, acknowledge, measure. Keys: docs/contracts.md section 2."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from redis import Redis
from redis.exceptions import ResponseError

GROUP = "ingest"
CLIENTS = "limbeck:clients"
FIELD = b"e"
TAKEN_OVER_AFTER_MS = 15_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A stream entry: its id, its payload (None where the field is missing), how often it was handed out."""

    id: str
    payload: bytes | None
    deliveries: int = 1


def connect(url: str, *, timeout: float = 5.0) -> Redis:
    """A client for ``redis://`` or ``unix://``; nothing is connected until the first use."""
    return Redis.from_url(url, socket_timeout=timeout, socket_connect_timeout=timeout)


class Stream:
    """The stream of one client, read as one consumer of the group."""

    def __init__(self, redis: Redis, client: str) -> None:
        """The consumer is named after this process, so that a dead one's work can be told apart."""
        self.redis = redis
        self.client = client
        self.key = f"limbeck:{{{client}}}:events"
        self.consumer = f"{socket.gethostname()}:{os.getpid()}"

    def prepare(self) -> None:
        """Make the stream, its group and the client known; harmless the second time."""
        self.redis.sadd(CLIENTS, self.client)
        try:
            self.redis.xgroup_create(self.key, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise

    def abandoned(self, count: int) -> list[tuple[str, int]]:
        """Ids (with delivery counts) that a consumer took 15 s ago or earlier and never acknowledged."""
        found = self.redis.xpending_range(
            self.key, GROUP, min="-", max="+", count=count, idle=TAKEN_OVER_AFTER_MS
        )
        rows = cast("list[dict[str, Any]]", found)
        pending = [(row["message_id"].decode(), int(row["times_delivered"])) for row in rows]
        return sorted(pending, key=lambda row: row[1])

    def take_over(self, ids: Sequence[str], deliveries: int) -> list[Entry]:
        """Claim ``ids`` for this consumer (their delivery count rises); those that are gone are left out."""
        reply: Any = self.redis.xclaim(self.key, GROUP, self.consumer, TAKEN_OVER_AFTER_MS, list(ids))
        return [
            _entry(identifier, fields, deliveries + 1) for identifier, fields in reply if fields is not None
        ]

    def hold(self, ids: Sequence[str]) -> None:
        """Say that this consumer is still at work on ``ids``, so that nobody takes them over."""
        self.redis.xclaim(self.key, GROUP, self.consumer, 0, list(ids), idle=0, justid=True)

    def give_back(self, deliveries: Mapping[str, int]) -> None:
        """Leave entries pending with the delivery counts given: what failed was not their fault."""
        with self.redis.pipeline(transaction=False) as pipe:
            for identifier, count in deliveries.items():
                pipe.xclaim(
                    self.key, GROUP, self.consumer, 0, [identifier], idle=0, retrycount=count, justid=True
                )
            pipe.execute()

    def acknowledge(self, ids: Iterable[str]) -> None:
        """Acknowledge and delete entries whose effect is committed."""
        ids = list(ids)
        if ids:
            with self.redis.pipeline(transaction=True) as pipe:
                pipe.xack(self.key, GROUP, *ids)
                pipe.xdel(self.key, *ids)
                pipe.execute()

    def waiting(self) -> int:
        """How many accepted entries have no committed effect yet."""
        return int(self.redis.xlen(self.key))

    def received(self) -> int:
        """How many entries were ever accepted: the stream's own count, which deletion does not lower."""
        try:
            info = self.redis.xinfo_stream(self.key)
        except ResponseError:
            return 0
        return int(info["entries-added"])

    def oldest_ms(self) -> int | None:
        """Unix milliseconds of the oldest waiting entry, from its id."""
        found = cast("list[tuple[bytes, Any]]", self.redis.xrange(self.key, count=1))
        return int(found[0][0].split(b"-")[0]) if found else None


def _entry(identifier: bytes, fields: dict[bytes, bytes], deliveries: int) -> Entry:
    return Entry(identifier.decode(), fields.get(FIELD), deliveries)
