"""What a command that takes a while is doing just now, told on standard error; standard output is for its answer."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rich.console import Console
from rich.markup import escape

from limbeck.visible import visible

EVERY_S = 10.0

Tell = Callable[[str], None]


@contextmanager
def steps(waiting: str, every: float = EVERY_S) -> Iterator[Tell]:
    """Tell what begins, ``waiting`` until then: a terminal in one line that changes, else a line every so many seconds.

    So what is done sooner says nothing where nobody looks at a terminal.
    """
    console = Console(stderr=True, highlight=False)
    if console.is_terminal:
        with console.status(escape(visible(waiting))) as status:
            yield lambda step: status.update(escape(visible(step)))
        return
    lines, done = Lines(waiting, _write), threading.Event()
    beating = threading.Thread(target=_beat, args=(lines, done, every), daemon=True)
    beating.start()
    try:
        yield lines.tell
    finally:
        done.set()
        beating.join()


class Lines:
    """The same for a log: each line says what is done, and for how long the whole goes on."""

    def __init__(
        self, waiting: str, write: Callable[[str], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Nothing is written before the first ``beat``."""
        self._step, self._write, self._clock = waiting, write, clock
        self._began = clock()

    def tell(self, step: str) -> None:
        """What is done from now on."""
        self._step = step

    def beat(self) -> None:
        """Write a line."""
        self._write(f"limbeck: {visible(self._step)} ({self._clock() - self._began:.0f} s so far)\n")


def _beat(lines: Lines, done: threading.Event, every: float) -> None:
    while not done.wait(every):
        lines.beat()


def _write(line: str) -> None:
    with suppress(OSError, ValueError, AttributeError):  # closed, full, or none at all: no work ends of that
        sys.stderr.write(line)
        sys.stderr.flush()
