"""What hooks do not look at of a ``.limbeckignore``, so that a person is told: they look at its beginning alone."""

from __future__ import annotations

import logging
from pathlib import Path

from capture.policy import IGNORE_BYTES, IGNORE_FILE, MOST_PATTERNS, ignore_lines, kinds
from capture.project import find

log = logging.getLogger("limbeck.unread")
_said: set[str] = set()


def unread(root: str | None) -> str:
    """A sentence on the lines of ``root`` that leave nothing out, being too many; empty where all are looked at."""
    if root is None:
        return ""
    lines, longer = ignore_lines(root)
    over = sum(max(0, len(found) - MOST_PATTERNS) for found in kinds(lines).values())
    told = []
    if over:
        told.append(f"{over} of its lines, as the first {MOST_PATTERNS} of a kind count")
    if longer:
        told.append(f"what comes after {IGNORE_BYTES // 1024} KiB")
    if not told:
        return ""
    what = " nor at ".join(told)
    return f"{root}/{IGNORE_FILE} is too long: hooks do not look at {what}. Let fewer patterns cover more."


def unread_at(folder: str | None = None) -> str:
    """The same of the project that ``folder`` lies in, or this process's where None; empty where that is gone."""
    try:
        return unread(find(folder or str(Path.cwd()), make_id=None).root)
    except OSError:
        return ""


def log_unread(root: str | None) -> None:
    """Write it to the log, once for each thing there is to say."""
    said = unread(root)
    if said and said not in _said:
        _said.add(said)
        log.warning("%s", said)
