"""What a purge cleans beside the tables: this machine's spool, logs and copies, and the files below the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

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
    """Events of the spool and logs that held a secret, the secrets by rule, and where one may still be."""

    spool: int = 0
    logs: int = 0
    secrets: Counter[str] = field(default_factory=Counter)
    not_reached: list[str] = field(default_factory=list)


def counted(home: Path) -> Files:
    """Count what ``purge`` would change."""
    found = Files()
    found.spool = waiting(home / "spool", lambda event: cleaned(event, found.secrets) != event)
    found.logs = sum(_as_it_should_be(path, found.secrets) is not None for path in _logs(home))
    return found


def purge(home: Path, at: Addresses, tables: Iterable[str], *, own_database: bool) -> Files:
    """Clean spool, logs and copies in ``home``, then the files below ``tables`` and the index where they are ours."""
    hits: Counter[str] = Counter()
    went = clean(home / "spool", lambda event: cleaned(event, hits))
    done = Files(went.events, secrets=hits if went.reached else Counter())
    if not went.reached:
        done.not_reached.append(SHIPPING)
    for path in _logs(home):
        text = _as_it_should_be(path, done.secrets)
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


def _logs(home: Path) -> list[Path]:
    return sorted(path for path in (home / "log").glob("*.log*") if path.is_file())


def _as_it_should_be(path: Path, hits: Counter[str]) -> str | None:
    """A log's text without secrets, which ``hits`` counts; None where it has none, or cannot be read."""
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return None
    lines = []
    for line in text.splitlines(keepends=True):
        clean_line, caught = redact(line)
        lines.append(clean_line)
        hits.update(caught)
    clean_text = "".join(lines)
    return clean_text if clean_text != text else None
