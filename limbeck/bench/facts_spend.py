"""Measure five, second half: workers that want more calls than the cap allows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import text

from capture.ids import new_id
from distill.spend import Caps, Usage, ceiling
from distill.store.spend import Ledger
from schema.database import Database
from schema.model import SpendCapReached

WORKERS = 8
WANTED = 400
CLIENT = "bench-spend"


def cap(database: Database) -> dict[str, Any]:
    """Let eight workers reserve calls as fast as they can; return how many went beyond the cap."""
    database.add_client(CLIENT)
    project = new_id()
    with database.tenant(CLIENT) as connection:
        connection.execute(
            text("INSERT INTO projects (client, project, name) VALUES (:client, :project, 'spend')"),
            {"client": CLIENT, "project": project},
        )
    most = ceiling("claude-haiku-4-5", "x" * 4_000, 1_000)
    caps = Caps(daily_microusd=most.microusd * 50)
    ledger = Ledger(database, caps)

    def call(_: int) -> int:
        try:
            held = ledger.reserve(CLIENT, project, new_id(), "claude-haiku-4-5", most)
        except SpendCapReached:
            return 0
        ledger.settle(held, Usage(input=most.tokens - 1_000, output=1_000), "tool_use")
        return 1

    with ThreadPoolExecutor(WORKERS) as pool:
        made = sum(pool.map(call, range(WANTED)))
    with database.tenant(CLIENT) as connection:
        spent = connection.scalar(text("SELECT coalesce(sum(microusd), 0) FROM model_calls"))
    beyond = max(0, int(spent or 0) - caps.daily_microusd)
    return {
        "workers": WORKERS,
        "calls_wanted": WANTED,
        "calls_made": made,
        "calls_beyond_cap": int(beyond > 0),
    }
