"""Standard output that other programs read: a reader that has left ends nothing, a full disk ends with a sentence."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from schema.errors import LimbeckError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class NotWritten(LimbeckError):
    """The output cannot be written: {why}."""


class _Pipe(io.FileIO):
    """Standard output below its buffers. After a failure everything more goes nowhere."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            self._close_off()
            return memoryview(data).nbytes
        except OSError as error:
            self._close_off()
            raise NotWritten(why=error.strerror or error) from error

    def _close_off(self) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


@contextmanager
def output() -> Iterator[None]:
    """Run a command whose output goes to a pipe or a file. Raises NotWritten where it cannot be written.

    A command whose reader has left runs to its end and keeps its exit code. Terminals, and an output that was put
    in place by somebody else, stay as they are.
    """
    own = sys.__stdout__
    if own is not None and sys.stdout is own and not own.isatty():
        raw = _Pipe(own.fileno(), "wb", closefd=False)
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), own.encoding, own.errors)
    try:
        yield
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()
