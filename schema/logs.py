"""What every log of ours is written with: errors say where and of which kind they are, lines hold no secret.

An error's own words may repeat what was stored (a database quotes the row that it refuses), so an error that is handed
to a log, as its message, an argument or what was caught, is told without those that are not ours. Words that were made
of one before (``str(error)``) pass; what has the form of a secret is taken out of each line besides.
"""

from __future__ import annotations

import logging
import sys
import threading
from types import TracebackType
from typing import Any

from capture.redact import redact
from schema.failures import places, told

LINE = "%(asctime)s %(levelname)s %(name)s %(message)s"
log = logging.getLogger("limbeck")


class Quiet(logging.Formatter):
    """A formatter of lines that hold neither the words of a foreign error nor a secret of a known form."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. Errors among its words are replaced by what may be said of them."""
        said = logging.makeLogRecord(record.__dict__ | {"exc_text": None, "args": _quiet(record.args)})
        if isinstance(said.msg, BaseException):
            said.msg = told(said.msg)
        return redact(super().format(said))[0]

    def formatException(self, ei: Any) -> str:
        """Return the places that the error passed."""
        return places(ei[1]) if ei[1] is not None else ""


def quietly(level: str, line: str = LINE) -> None:
    """Send this process's log to standard error, from ``level`` on, and there too what nobody caught."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Quiet(line))
    logging.basicConfig(handlers=[handler], level=level.upper())
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_a_thread


def _quiet(arguments: Any) -> Any:
    if isinstance(arguments, tuple):
        return tuple(_said(one) for one in arguments)
    if isinstance(arguments, dict):
        return {name: _said(one) for name, one in arguments.items()}
    return arguments


def _said(value: object) -> object:
    return told(value) if isinstance(value, BaseException) else value


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        log.critical("this process cannot go on: %s", places(error))


def _uncaught_in_a_thread(found: threading.ExceptHookArgs) -> None:
    if found.exc_value is not None:
        log.error("the thread %s ended: %s", found.thread and found.thread.name, places(found.exc_value))
