"""Removal of secrets from text: typed markers in their place, in bounded time, standard library only."""

from capture.redact.deadline import Deadline
from capture.redact.engine import redact
from capture.redact.window import redact_window

__all__ = ["Deadline", "redact", "redact_window"]
