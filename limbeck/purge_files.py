"""What a purge cleans beside the tables: this machine's spool, logs and copies, and the files below the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from capture.redact import redact
from limbeck import scrub
from limbeck.forgetting import clean, drop_briefs, waiting
from limbeck.purge import INDEX, cleaned
from limbeck.services.addresses import Addresses

SHIPPING = (
    "Events wait in the spool and a shipper is at work on it: they are cleaned before they become rows."
)
BELOW = (
    "The files below the database's tables: free pages and the log hold old rows until they are overwritten. On the "
    "database's own machine a purge writes them anew."
)


@dataclass(slots=True)
class Files:
    """Events of the spool and logs that held a secret, and where one may still be."""

    spool: int = 0
    logs: int = 0
    not_reached: list[str] = field(default_factory=list)


def counted(home: Path) -> Files:
    """Count what ``purge`` would change."""
    held = waiting(home / "spool", lambda event: _cleaned(event) != event)
    return Files(held, sum(_as_it_should_be(path) is not None for path in _logs(home)))


def purge(home: Path, at: Addresses, tables: Iterable[str], *, own_database: bool) -> Files:
    """Clean spool, logs and copies in ``home``, then the files below ``tables`` and the index where they are ours."""
    went = clean(home / "spool", _cleaned)
    done = Files(went.events)
    if not went.reached:
        done.not_reached.append(SHIPPING)
    for path in _logs(home):
        text = _as_it_should_be(path)
        if text is not None:
            with path.open("r+", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(text)  # in place: its writers append to this very file
                file.truncate()
            done.logs += 1
    drop_briefs(home)
    if not own_database:
        done.not_reached.append(BELOW)
    elif why := scrub.database(at.owner_url, {*tables, INDEX}) or scrub.queue(at.redis_url):
        done.not_reached.append(f"{BELOW} It was tried: {why}")
    return done


def _cleaned(event: Any) -> Any:
    return cleaned(event, Counter())


def _logs(home: Path) -> list[Path]:
    return sorted(path for path in (home / "log").glob("*.log*") if path.is_file())


def _as_it_should_be(path: Path) -> str | None:
    """A log's text without secrets; None where it has none, or cannot be read."""
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return None
    lines = "".join(redact(line)[0] for line in text.splitlines(keepends=True))
    return lines if lines != text else None
