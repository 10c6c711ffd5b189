"""Events that wait in the queue: those that are to be forgotten never become rows.

An accepted event must end as something, or the sums would not hold: it counts as quarantined, with nothing kept. The
ledger's line is committed before the entry leaves the queue, so that a worker which holds it finds it done.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, cast

from redis import Redis
from redis.exceptions import RedisError, ResponseError
from sqlalchemy import Connection, text

from schema.database import Database
from schema.ids import new_id
from server.forget.remove import REASON

GROUP, FIELD = "ingest", b"e"
PAGE = 500
SECONDS = 5.0

_LINE = text("""
    INSERT INTO ledger (client, entry, disposition, forgotten_at) VALUES (:client, :entry, 'quarantined', :now)
    ON CONFLICT (client, entry) DO NOTHING
""")
_HELD = text("""
    INSERT INTO quarantine (client, id, entry, reason, attempts, state)
    VALUES (:client, :id, :entry, :reason, 0, 'dropped')
""")
_COUNT = text("""
    INSERT INTO ledger_counts (client, disposition, events) VALUES (:client, 'quarantined', 1)
    ON CONFLICT (client, disposition) DO UPDATE SET events = ledger_counts.events + 1
""")


class Queue:
    """One client's stream, as what forgets it sees it."""

    def __init__(self, url: str, client: str) -> None:
        """Nothing is connected until the first use."""
        self._redis = Redis.from_url(url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
        self._client, self._key = client, f"limbeck:{{{client}}}:events"

    def matching(self, wanted: Callable[[Any], bool]) -> list[str]:
        """The entries whose event is ``wanted``. Raises RedisError."""
        return [entry for entry, event in self._entries() if wanted(event)]

    def forget(self, database: Database, entries: list[str], now: datetime) -> int:
        """Take ``entries`` out; return how many nobody had read before. Raises RedisError."""
        taken = 0
        for entry in entries:
            with database.everyone(self._client) as connection:
                taken += self._note(connection, entry, now)
            with self._redis.pipeline(transaction=True) as pipe:
                with contextlib.suppress(ResponseError):
                    pipe.xack(self._key, GROUP, entry)
                pipe.xdel(self._key, entry)
                pipe.execute(raise_on_error=False)
        if entries:
            with contextlib.suppress(RedisError):  # a server of somebody else's may not allow it
                self._redis.bgrewriteaof()
        return taken

    def close(self) -> None:
        """Let the connection go."""
        self._redis.close()

    def _note(self, connection: Connection, entry: str, now: datetime) -> int:
        values = {"client": self._client, "entry": entry, "now": now, "id": new_id(), "reason": REASON}
        if connection.execute(_LINE, values).rowcount == 0:
            return 0
        connection.execute(_HELD, values)
        connection.execute(_COUNT, values)
        return 1

    def _entries(self) -> Iterator[tuple[str, Any]]:
        after = "-"
        while True:
            page = cast(
                "list[tuple[bytes, dict[bytes, bytes]]]", self._redis.xrange(self._key, after, count=PAGE)
            )
            for entry, fields in page:
                yield entry.decode(), _event(fields.get(FIELD))
            if len(page) < PAGE:
                return
            after = f"({page[-1][0].decode()}"


def _event(payload: bytes | None) -> Any:
    """The event, or its text where it is none."""
    told = (payload or b"").decode("utf-8", "replace")
    try:
        return json.loads(told)
    except (ValueError, RecursionError):
        return told
