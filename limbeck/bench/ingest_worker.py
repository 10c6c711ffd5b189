"""A worker process of the benchmark of ingest: drains until told to stop, then says where its time went.

Standard input: one line of JSON with ``database``, ``redis`` and ``client``, then, at the end, anything.
"""

from __future__ import annotations

import json
import select
import sys
import time
from collections import Counter
from datetime import timedelta

from schema.database import Database
from workers.drain import drain
from workers.stream import Stream, connect

LOOK_S = 0.01


def main() -> int:
    """Drain the stream of the client on standard input; print the seconds by stage as JSON at the end."""
    told = json.loads(sys.stdin.readline())
    database, redis = Database(told["database"]), connect(told["redis"])
    stream = Stream(redis, told["client"])
    spent: Counter[str] = Counter()
    entries = 0
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while not select.select([sys.stdin], [], [], LOOK_S)[0]:
        drained = drain(database, stream, then=lambda *_: None, quiet_after=timedelta(minutes=5))
        entries += drained.entries
        if drained.entries:  # a look at an empty stream is no work
            spent.update({stage: round(seconds * 1e6) for stage, seconds in drained.spent.items()})
    microseconds = dict(spent) | {"processor": round(time.process_time() * 1e6)}
    sys.stdout.write(json.dumps({"entries": entries, "microseconds": microseconds}) + "\n")
    redis.close()
    database.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
