"""The process that measures: a line of JSON in, a line out, at the lowest priority, until its input ends.

A grammar is foreign code over foreign text. Here it can hang, grow or crash, and costs nobody more than an errand.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

from capture.policy import Policy
from limbeck.ship.code.measure import measured
from limbeck.ship.errors import RepositoryGone

NICENESS = 15
HARD_SECONDS = 60  # ends this process where nobody else does


def main() -> int:
    """Answer requests ``{"envelope", "paths"}`` with the envelope filled, null, or ``{"error": kind}``."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for line in sys.stdin.buffer:
        if hasattr(signal, "alarm"):
            signal.alarm(HARD_SECONDS)
        sys.stdout.buffer.write(json.dumps(_answer(json.loads(line))).encode() + b"\n")
        sys.stdout.buffer.flush()
        if hasattr(signal, "alarm"):
            signal.alarm(0)
    return 0


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"envelope": measured(request["envelope"], Policy(request["paths"]))}
    except RepositoryGone:
        return {"envelope": None}  # with the commit goes what it changed
    except Exception as error:  # told by its kind alone: a message may quote the file
        return {"error": type(error).__name__}


if __name__ == "__main__":
    sys.exit(main())
