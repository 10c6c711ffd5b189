"""What somebody gives to be kept, without secrets: both nets, and nothing that was marked private."""

from __future__ import annotations

from capture.net import second_net
from capture.private import drop_private
from capture.redact.deadline import Deadline

SECONDS = 5.0


def redacted(text: str, counts: dict[str, int]) -> str:
    """Return ``text`` without secrets and private spans; what was found is added to ``counts`` by rule."""
    clean, found = second_net(drop_private(text), deadline=Deadline(SECONDS))
    for rule, times in found.items():
        counts[rule] = counts.get(rule, 0) + times
    return clean.replace("\x00", " ")
