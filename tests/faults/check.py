"""After the faults: every accepted id has its one disposition, nothing is in twice, the sums hold."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text

from schema.database import Database
from tests.faults.producers import Producers
from tests.faults.product import Product

KEYS = "SELECT split_part(key, '|', 5) AS call, disposition FROM ledger WHERE key LIKE 'call|%'"


def check(product: Product, producers: Producers) -> dict[str, Any]:
    """Compare ids, not counts; return what was found. Fails where anything is lost or doubled."""
    assert producers.errors == []
    database = Database(product.at.database_url, pooled=False)
    with database.tenant("local") as connection:
        rows = connection.execute(text(KEYS)).all()
        sums = dict(connection.execute(text("SELECT disposition, count(*) FROM ledger GROUP BY 1")).all())
        running = dict(connection.execute(text("SELECT disposition, events FROM ledger_counts")).all())
        held = int(connection.scalar(text("SELECT coalesce(sum(count), 0) FROM observations")) or 0)
    database.close()
    kept = [row.call for row in rows if row.disposition in ("stored", "merged")]
    lost = producers.accepted - set(kept)
    assert not lost, f"{len(lost)} accepted events are lost, such as {sorted(lost)[:3]}"
    assert len(kept) == len(set(kept)), "an event is in twice"
    strange = set(kept) - producers.accepted - producers.uncertain
    assert not strange, f"events nobody made: {sorted(strange)[:3]}"
    assert held == len(kept), f"the observations count {held} calls, the ledger {len(kept)}"
    assert {name: n for name, n in running.items() if n} == sums
    received = product.stream().received()
    assert received == sum(sums.values()), f"received {received}, disposed of {sums}"
    return {
        "accepted": len(producers.accepted),
        "uncertain": len(producers.uncertain),
        "lost": 0,
        "sums": sums,
    }
