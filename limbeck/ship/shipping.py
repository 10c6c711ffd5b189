"""One look at the spool: what is there goes to the queue in order, errands are put by to be run at leisure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from capture.envelope import decode, encode
from capture.errors import CaptureError
from capture.jsonio import parse
from limbeck.ship import errands, files
from limbeck.ship.sender import Sender

BATCH = 500
BATCH_BYTES = 4 * 1024 * 1024


@dataclass(slots=True)
class Shipped:
    """What a look came to: events sent, errands put by, lines that were no events."""

    sent: int = 0
    put_by: int = 0
    torn: int = 0


def ship(spool: Path, sender: Sender) -> Shipped:
    """Send everything that waits in ``spool`` and remove it once all of it was answered.

    Raises QueueUnavailable with the file left as it was: what was already sent is then sent again, and its ids
    tell. Only one process may do this at a time (``limbeck.ship.loop`` holds the lock).
    """
    done = Shipped()
    files.seal(spool)
    for path in files.sealed(spool):
        if not files.settled(path):
            break
        _ship_file(spool, path, sender, done)
        path.unlink()
    return done


def _ship_file(spool: Path, path: Path, sender: Sender, done: Shipped) -> None:
    batch: list[bytes] = []
    size = 0
    for line in files.lines(path):
        ready = _sort(spool, line, done)
        if ready is None:
            continue
        batch.append(ready)
        size += len(ready)
        if len(batch) >= BATCH or size >= BATCH_BYTES:
            sender.send(batch)
            done.sent += len(batch)
            batch, size = [], 0
    if batch:
        sender.send(batch)
        done.sent += len(batch)


def _sort(spool: Path, line: bytes, done: Shipped) -> bytes | None:
    """What to send now for one line of the spool; an errand is written down before its line may go."""
    try:
        value = parse(line.decode("utf-8"))
        if not isinstance(value, dict):
            raise ValueError("it is not a JSON object")
        if value.get("needs") is None:
            return line
        value = decode(line)  # an errand is run here, so it is looked at here too
        bare = encode(errands.without_need(value))
        if value["needs"] not in errands.NEEDS:
            return bare
        errands.put_by(spool, value)
    except (ValueError, CaptureError, RecursionError):
        files.keep_torn(spool, line)
        done.torn += 1
        return None
    done.put_by += 1
    return None if value["needs"] == errands.COMMIT else bare  # a commit goes out once it is complete
