"""Memory that is not used goes back to the system."""

from __future__ import annotations

import ctypes
import gc
import sys


def give_back() -> None:
    """Collect what nobody holds and let the C library return its free pages; where it cannot, nothing happens.

    Loading a model leaves tens of megabytes free inside the process, which nobody else could use.
    """
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
