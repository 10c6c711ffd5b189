"""What is saved goes through both nets first: the hook's and the server's."""

from __future__ import annotations

from capture.net import second_net


def clean(text: str) -> str:
    """Return ``text`` with secrets replaced by markers, in a form that Postgres can hold."""
    redacted, _ = second_net(text)
    return redacted.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")
