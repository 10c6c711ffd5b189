"""Where a finished envelope goes: one append to the local queue, else to the spool."""

from __future__ import annotations

from capture import spool
from capture.errors import QueueRefused
from capture.queue import append

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.config import HookConfig

QUEUE, SPOOL = "queue", "spool"


def deliver(line: bytes, config: HookConfig, errand: bool) -> str:
    """Hand over the encoded envelope and return ``queue`` or ``spool``, where it was accepted.

    An ``errand`` always goes to the spool, for the shipper to complete. SpoolRefused where nothing took it.
    """
    queue = config.queue
    if queue is not None and queue.local and not errand and not spool.full(config.spool):
        try:
            append(queue, config.client, line, config.limits.queue_seconds)
        except QueueRefused:
            pass
        else:
            return QUEUE
    spool.append(config.spool, line, config.limits.spool_bytes, config.limits.fsync)
    return SPOOL
