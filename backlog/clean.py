"""What somebody gives to be kept, without secrets and private spans: every way into the backlog passes here."""

from __future__ import annotations

from capture.net import second_net
from capture.private import drop_private


def clean(text: str) -> str:
    """Return ``text`` as it may be kept; clean text comes back as it is."""
    redacted, _ = second_net(drop_private(text))
    return redacted.replace("\x00", " ")
