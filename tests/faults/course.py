"""One course of faults while events run through."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from capture.envelope import encode
from capture.ids import new_id
from tests.acceptance.services.conftest import remove
from tests.faults.check import check
from tests.faults.producers import Producers
from tests.faults.product import Poison, Product, inject

PYTHON = Path(os.path.realpath(sys.executable))


def run(
    folder: Path,
    seed: int,
    faults: Mapping[str, int],
    events: int,
    *,
    poison: bool = False,
    patience: float = 300.0,
    tell: Callable[[str], object] = lambda _line: None,
) -> dict[str, Any]:
    """Bring ``faults`` (kind to how many must hit) about in an order drawn by ``seed``; return what was found."""
    chance = random.Random(seed)
    course = [kind for kind, count in faults.items() for _ in range(count)]
    chance.shuffle(course)
    product = Product(folder, PYTHON)
    producers = Producers(product.home.path, product.hook, seed)
    done: Counter[str] = Counter()
    bad = None
    try:
        producers.start()
        bad = Poison(product, _poison(), times=5) if poison else None
        for number, kind in enumerate(course):
            producers.allow(events // len(course))
            time.sleep(chance.random() * 0.4)
            while not (hit := inject(product, kind, chance, producers.kill_hooks)):
                producers.allow(8)
                time.sleep(0.1)
            done[kind] += hit
            tell(f"{number + 1} of {len(course)}: {kind}")
        producers.finish()
        end = time.monotonic() + patience
        while not product.settled():
            assert time.monotonic() < end, f"it did not settle\n{product.cli.logs()}"
            time.sleep(0.05)
        found = check(product, producers)
        if bad is not None:
            done["poison"] = len(bad.struck)
            found["quarantine"] = json.loads(product.cli.ok("quarantine", "list", "--json"))
            assert [row["entry"] for row in found["quarantine"]] == [bad.entry], (bad.struck, found)
            assert found["quarantine"][0]["attempts"] > 5
        return {"seed": seed, "faults": dict(done), **found}
    finally:
        if bad is not None:
            bad.end()
        producers.finish()
        remove(product.cli)


def _poison() -> bytes:
    """A text that redaction takes seconds for, so that there is time to kill whoever has it."""
    words = ("password=" * 3000 + "://" * 8000 + "eyJ" * 8000 + "token: " * 6000)[:120_000]
    body = {"text": words, "chars": len(words)}
    return encode(
        {
            "v": 1,
            "id": new_id(),
            "at": int(time.time() * 1000),
            "agent": "claude",
            "origin": "hook",
            "kind": "prompt",
            "session": "poison",
            "cwd": "/home/u/shop",
            "project": {"root": "/home/u/shop"},
            "body": body,
        }
    )
