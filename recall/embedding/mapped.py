"""Arrays in one file that several processes read as one copy: mapped, so the system keeps each page once for them all.

The file holds the length of a head in eight bytes, the head (JSON: name to type, shape and place), and the arrays.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
ALIGNED = 64  # bytes; what the arithmetic reads in one go
LENGTH = 8


def write(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write ``arrays`` as one file, mode 0600, whole or not at all. Raises OSError."""
    head, place = {}, 0
    for name, array in arrays.items():
        head[name] = [array.dtype.str, list(array.shape), place]
        place += -(-array.nbytes // ALIGNED) * ALIGNED
    told = json.dumps(head, sort_keys=True).encode()
    told = told.ljust(-(-(LENGTH + len(told)) // ALIGNED) * ALIGNED - LENGTH)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(len(told).to_bytes(LENGTH, "little") + told)
            for array in arrays.values():
                file.write(array.tobytes())
                file.write(bytes(-array.nbytes % ALIGNED))
        partial.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise


def read(path: Path, sha256: str) -> dict[str, Array] | None:
    """Return the arrays in the file, to be read only; None where there is none with this SHA-256."""
    try:
        with path.open("rb") as file:
            whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    # What is checked is the mapping itself: another file that takes the place of this one changes nothing in it.
    if hashlib.sha256(whole).hexdigest() != sha256:
        whole.close()
        return None
    if hasattr(mmap, "MADV_DONTNEED"):
        whole.madvise(mmap.MADV_DONTNEED)  # the check touched every page, a question touches few of the words
    length = int.from_bytes(whole[:LENGTH], "little")
    head = json.loads(whole[LENGTH : LENGTH + length])
    view = memoryview(whole)[LENGTH + length :]
    return {name: _array(view, *told) for name, told in head.items()}


def _array(view: memoryview, kind: str, shape: list[int], place: int) -> Array:
    dtype = np.dtype(kind)
    count = int(np.prod(shape))
    array: Array = np.frombuffer(view, dtype=dtype, count=count, offset=place)
    return array.reshape(shape)
