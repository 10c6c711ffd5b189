"""What a purge cleans beside the tables: this machine's spool, logs and copies, and the files below the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from filelock import Timeout

from capture.redact import redact
from limbeck import scrub
from limbeck.forgetting import clean, drop_briefs, waiting
from limbeck.purge import INDEX, cleaned
from limbeck.services import logs
from limbeck.services.addresses import Addresses

SHIPPING = (
    "Events wait in the spool and a shipper is at work on it: they are cleaned before they become rows."
)
MOVING = "The logs: another process moves or cleans them and did not end. Run it again."
PATIENCE = 30.0  # seconds
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
    found.logs = sum(_holds(path, found.secrets) for path in _logs(home))
    return found


def purge(home: Path, at: Addresses, tables: Iterable[str], *, own_database: bool) -> Files:
    """Clean spool, logs and copies in ``home``, then the files below ``tables`` and the index where they are ours."""
    hits: Counter[str] = Counter()
    went = clean(home / "spool", lambda event: cleaned(event, hits))
    done = Files(went.events, secrets=hits if went.reached else Counter())
    if not went.reached:
        done.not_reached.append(SHIPPING)
    found = _logs(home)
    try:
        with logs.rewriting(home / "log").acquire(timeout=PATIENCE) if found else nullcontext():
            done.logs = sum(_covered(path, done.secrets) for path in found)
    except Timeout:
        done.not_reached.append(MOVING)
    drop_briefs(home)
    if not own_database:
        done.not_reached.append(BELOW)
    elif why := scrub.database(at.owner_url, {*tables, INDEX}) or scrub.queue(at.redis_url):
        done.not_reached.append(f"{BELOW} It was tried: {why}")
    return done


def _logs(home: Path) -> list[Path]:
    return sorted(path for path in (home / "log").glob("*.log*") if path.is_file())


def _holds(path: Path, hits: Counter[str]) -> bool:
    """Whether a log holds secrets, which ``hits`` counts; not where it cannot be read."""
    try:
        return bool(logs.changes(path.read_bytes(), _cleaning(hits)))
    except OSError:
        return False


def _covered(path: Path, hits: Counter[str]) -> bool:
    """Write over the secrets of a log, which ``hits`` counts; return whether it held any."""
    try:
        return logs.cover(path, _cleaning(hits)) > 0
    except OSError:
        return False


def _cleaning(hits: Counter[str]) -> logs.Clean:
    def clean(line: str) -> str:
        cleaned_line, caught = redact(line)
        hits.update(caught)
        return cleaned_line

    return clean
