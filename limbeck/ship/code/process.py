"""The process that measures: a line of JSON in, a line out, at a low priority where nobody waits, until its input ends.

A grammar is foreign code over foreign text. Here it can hang, grow or crash, and costs nobody more than an errand.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from capture.policy import Policy
from limbeck.ship.code.measure import measured
from limbeck.ship.errors import RepositoryGone
from limbeck.ship.standing import Standing

AT_ONCE = "at-once"  # somebody waits for it
NICENESS = 15
HARD_SECONDS = 60  # ends this process where nobody else does


def main() -> int:
    """Answer requests ``{"envelope", "paths"}`` with the envelope filled, null, or ``{"error": kind}``."""
    if hasattr(os, "nice") and AT_ONCE not in sys.argv:
        os.nice(NICENESS)
    repository: tuple[str, Standing] | None = None
    for line in sys.stdin.buffer:
        if hasattr(signal, "alarm"):
            signal.alarm(HARD_SECONDS)
        request = json.loads(line)
        common = str(request["envelope"].get("project", {}).get("common"))
        if repository is None or repository[0] != common:
            if repository is not None:
                repository[1].close()
            repository = (common, Standing(Path(common)))
        sys.stdout.buffer.write(json.dumps(_answer(request, repository[1])).encode() + b"\n")
        sys.stdout.buffer.flush()
        if hasattr(signal, "alarm"):
            signal.alarm(0)
    return 0


def _answer(request: dict[str, Any], repository: Standing) -> dict[str, Any]:
    try:
        return {"envelope": measured(request["envelope"], Policy(request["paths"]), repository=repository)}
    except RepositoryGone:
        return {"envelope": None}  # with the commit goes what it changed
    except Exception as error:  # told by its kind alone: a message may quote the file
        return {"error": type(error).__name__}


if __name__ == "__main__":
    sys.exit(main())
