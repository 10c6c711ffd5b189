"""Standard input to its end, as bytes, but never waiting for it for ever."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
else:
    import _signal

CHUNK = 65536
PATIENCE = 2.0


class _Late(Exception):
    """The writer has not closed its end in time."""


def drain(chunks: list[bytes], patience: float = PATIENCE) -> bytes:
    """Return all that standard input holds, adding each part to ``chunks`` as it comes.

    ``chunks`` may hold the parts that an earlier try has read. After ``patience`` seconds without an end, what
    has come is returned. A closed standard input is an empty one.
    """
    armed = _arm(patience)
    try:
        while part := os.read(0, CHUNK):
            chunks.append(part)
    except (OSError, _Late):
        pass
    finally:
        if armed:
            _signal.setitimer(_signal.ITIMER_REAL, 0)
    whole = b"".join(chunks)
    chunks[:] = [whole]
    return whole


def _arm(patience: float) -> bool:
    if not hasattr(_signal, "setitimer"):
        return False
    _signal.signal(_signal.SIGALRM, _late)
    _signal.setitimer(_signal.ITIMER_REAL, patience)
    return True


def _late(_number: int, _frame: object) -> None:
    raise _Late
