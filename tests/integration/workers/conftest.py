"""A worker's view: one database, one stream, a drain run by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from capture.ids import new_id
from schema.database import Database
from workers.drain import drain
from workers.lease import keys
from workers.stream import Stream, connect

from .build import encoded


class Bench:
    """Push envelopes, drain, look."""

    def __init__(self, database: Database, stream: Stream) -> None:
        self.database, self.stream, self.then = database, stream, []

    def push(self, *payloads: Any) -> list[str]:
        found = [one if isinstance(one, bytes) else encoded(one)[0] for one in payloads]
        return [self.stream.redis.xadd(self.stream.key, {"e": one}).decode() for one in found]

    def drain(self) -> int:
        return drain(
            self.database,
            self.stream,
            then=lambda *told: self.then.append(told),
            quiet_after=timedelta(minutes=5),
        ).entries

    @property
    def due(self) -> list[str]:
        return [identifier for task, identifier in self.then if task == "session.distil"]

    def rows(self, statement: str, **values: Any) -> list[dict[str, Any]]:
        with self.database.tenant(self.stream.client) as connection:
            return [dict(row) for row in connection.execute(text(statement), values).mappings()]

    def sums(self) -> dict[str, int]:
        found = self.rows("SELECT disposition, count(*) AS n FROM ledger GROUP BY 1")
        counted = {row["disposition"]: row["n"] for row in found}
        running = self.rows("SELECT disposition, events FROM ledger_counts")
        assert counted == {row["disposition"]: row["events"] for row in running}
        assert sum(counted.values()) == self.stream.received()
        return counted


@pytest.fixture
def bench(app_url: str, redis_url: str) -> Iterator[Bench]:
    client = f"c{new_id()[-12:]}"
    database = Database(app_url)
    database.add_client(client)
    redis = connect(redis_url)
    stream = Stream(redis, client)
    stream.prepare()
    yield Bench(database, stream)
    redis.delete(stream.key, *keys(client))
    redis.close()
    database.close()
