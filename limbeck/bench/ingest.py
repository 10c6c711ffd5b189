"""How fast ingest is: a sustained run beside a plain COPY of the same rows, the way to a visible row, and texts."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from rich.console import Console
from sqlalchemy import text

from limbeck.bench.ingest_events import Events
from limbeck.bench.ingest_world import CLIENT, World, product, world
from limbeck.services.postgres import OWNER

Tell = Callable[[str], object]

STEPS = 10
TABLES = {  # a partitioned table is no source of COPY
    "observations": b"COPY (SELECT * FROM observations) TO STDOUT",
    "windows": b"COPY windows TO STDOUT",
    "ledger": b"COPY ledger TO STDOUT",
}
BEFORE_MS = 30 * 24 * 3600 * 1000
LATENCY_RATE = 500
LOOK_S = 0.005


def run(events: int, exchanges: int, seconds: int, processes: int, seed: int, as_json: bool) -> int:
    """Measure and print as lines, or JSON; returns 0."""
    console = Console(stderr=True)
    found = measure(
        events, exchanges, seconds, processes, seed, (lambda _line: None) if as_json else console.print
    )
    if as_json:
        print(json.dumps(found, indent=2))  # noqa: T201 - what a script reads
    else:
        for line in lines(found):
            print(line)  # noqa: T201 - the report itself
    return 0


def measure(
    events: int, exchanges: int, seconds: int, processes: int, seed: int, tell: Tell
) -> dict[str, Any]:
    """Ingest ``events`` observations and ``exchanges`` texts, then 500 observations a second for ``seconds``."""
    made = Events(seed, int(time.time() * 1000) - BEFORE_MS)
    found: dict[str, Any] = {
        "seed": seed,
        "processors": os.cpu_count(),
        "workers": processes,
        "load_before": round(os.getloadavg()[0], 2),
    }
    with world() as ready:
        ready.start(processes)
        found["observations"] = _sustained(ready, made, events, tell)
        said = ready.stop()
        found["observations"]["shares"] = _shares(said)
        found["copy"] = _copied(ready, found["observations"]["rate"])
        tell(f"copied at {found['copy']['rate']} rows a second")
        ready.start(processes)
        found["exchanges"] = _texts(ready, made, exchanges)
        found["exchanges"]["shares"] = _shares(ready.stop())
        tell(f"texts at {found['exchanges']['rate']} a second")
        with product(ready, processes):
            found["visible"] = _visible(ready, list(made.observations(LATENCY_RATE * seconds)))
        found["sums"] = _sums(ready)
    found["load_after"] = round(os.getloadavg()[0], 2)
    return found


def _sustained(ready: World, made: Events, count: int, tell: Tell) -> dict[str, Any]:
    """The run itself in ten steps, so that growth shows: rate, processor time an event, memory."""
    steps: list[dict[str, float]] = []
    memory = 0.0
    began, taken = time.monotonic(), 0.0
    for number in range(STEPS):
        portion = list(made.observations(count // STEPS))
        before, start = ready.processor(), time.monotonic()
        ready.feed(portion)
        ready.emptied()
        seconds = time.monotonic() - start
        taken += seconds
        after = ready.processor()
        step = {name: round((after[name] - before[name]) / len(portion) * 1e6, 1) for name in after}
        steps.append({"rate": round(len(portion) / seconds), **step})
        memory = max(memory, ready.memory())
        tell(
            f"{(number + 1) * len(portion)} events, {steps[-1]['rate']} a second, {step} us of processor each"
        )
    sums = _sums(ready)
    cost = [step["workers"] + step["postgres"] + step["queue"] for step in steps]
    return {
        "events": sum(sums.values()),
        "seconds": round(taken, 2),
        "with_making_them": round(time.monotonic() - began, 2),
        "rate": round(sum(sums.values()) / taken),
        "rows_share": round(sums.get("stored", 0) / sum(sums.values()), 3),
        "unseen_share": round(made.unseen / made.made, 3),
        "processor_us": {name: round(sum(step[name] for step in steps) / STEPS, 1) for name in after},
        "growth": round(cost[-1] / cost[0], 2),
        "growth_postgres": round(steps[-1]["postgres"] / steps[0]["postgres"], 2),
        "worker_mib": round(memory),
        "steps": steps,
    }


def _shares(said: Sequence[dict[str, Any]]) -> dict[str, float]:
    """How the workers' time at work was divided."""
    stages = ("queue", "decoding", "redaction", "waiting", "database")
    total = {stage: sum(one["microseconds"].get(stage, 0) for one in said) for stage in stages}
    whole = sum(total.values()) or 1
    return {stage: round(value / whole, 3) for stage, value in total.items()}


def _copied(ready: World, rate: float) -> dict[str, Any]:
    """COPY the rows of the run into bare tables, and into tables with the same indexes and constraints."""
    url = ready.postgres.url(OWNER).replace("+psycopg", "")
    taken = {"bare": 0.0, "indexed": 0.0}
    with psycopg.connect(url, autocommit=True) as connection:
        for table, reading_of in TABLES.items():
            with connection.cursor().copy(reading_of) as reading:
                rows = [bytes(part) for part in reading]
            for kind, like in (("bare", "INCLUDING GENERATED"), ("indexed", "INCLUDING ALL")):
                connection.execute(f"CREATE TABLE copied (LIKE {table} {like})".encode())
                start = time.monotonic()
                with connection.cursor().copy(b"COPY copied FROM STDIN") as writing:
                    for part in rows:
                        writing.write(part)
                taken[kind] += time.monotonic() - start
                connection.execute("DROP TABLE copied")
        events = connection.execute("SELECT count(*) FROM ledger").fetchone()
    number = int(events[0]) if events else 0
    bare, indexed = number / taken["bare"], number / taken["indexed"]
    return {
        "rate": round(bare),
        "rate_indexed": round(indexed),
        "ratio": round(bare / rate, 1),
        "ratio_indexed": round(indexed / rate, 1),
    }


def _texts(ready: World, made: Events, count: int) -> dict[str, Any]:
    texts = list(made.exchanges(count))
    start = time.monotonic()
    ready.feed(texts)
    ready.emptied()
    seconds = time.monotonic() - start
    return {"events": count, "bytes": 2048, "seconds": round(seconds, 2), "rate": round(count / seconds, 1)}


def _visible(ready: World, events: Sequence[bytes]) -> dict[str, Any]:
    """From the queue's answer to a row that another connection sees, at a steady rate."""
    warm = events[:LATENCY_RATE]
    ready.feed(warm, LATENCY_RATE)
    ready.emptied()
    before = sum(_sums(ready).values())
    measured = events[LATENCY_RATE:]
    answered: list[float] = []
    feeder = threading.Thread(target=lambda: answered.extend(ready.feed(measured, LATENCY_RATE)))
    feeder.start()
    seen: list[float] = []
    while len(seen) < len(measured):
        visible = sum(_sums(ready).values()) - before
        seen += [time.monotonic()] * (visible - len(seen))
        time.sleep(LOOK_S)
    feeder.join()
    waits = sorted(max(0.0, after - at) for at, after in zip(answered, seen, strict=True))
    return {
        "rate": LATENCY_RATE,
        "events": len(waits),
        "p50_ms": round(waits[len(waits) // 2] * 1e3),
        "p95_ms": round(waits[int(len(waits) * 0.95)] * 1e3),
        "worst_ms": round(waits[-1] * 1e3),
    }


def _sums(ready: World) -> dict[str, int]:
    with ready.database.tenant(CLIENT) as connection:
        found: dict[str, int] = dict(
            connection.execute(text("SELECT disposition, events FROM ledger_counts")).all()
        )
    return found


def lines(found: dict[str, Any]) -> list[str]:
    """The result for a person."""
    run, copy, texts, visible = (found[name] for name in ("observations", "copy", "exchanges", "visible"))
    return [
        f"observations  {run['rate']}/s over {run['events']} ({run['rows_share']:.0%} rows, "
        f"{run['unseen_share']:.0%} unseen texts), {found['workers']} workers, seed {found['seed']}",
        f"  time        {_percent(run['shares'])}",
        f"  processor   {run['processor_us']} us an event; last step to first {run['growth']} "
        f"(Postgres alone {run['growth_postgres']})",
        f"  memory      {run['worker_mib']} MiB, the largest worker",
        f"plain COPY    {copy['rate']}/s ({copy['ratio']} x), with the same indexes {copy['rate_indexed']}/s "
        f"({copy['ratio_indexed']} x)",
        f"exchanges     {texts['rate']}/s of {texts['bytes']} bytes; {_percent(texts['shares'])}",
        f"visible row   p50 {visible['p50_ms']} ms, p95 {visible['p95_ms']} ms, worst {visible['worst_ms']} ms "
        f"at {visible['rate']}/s",
        f"sums          {found['sums']}",
        f"machine       {found['processors']} processors, load {found['load_before']} before, "
        f"{found['load_after']} after",
    ]


def _percent(shares: dict[str, float]) -> str:
    return ", ".join(f"{stage} {share:.0%}" for stage, share in shares.items())
