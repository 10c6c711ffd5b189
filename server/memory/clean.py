"""What is saved goes through both nets first: the hook's and the server's."""

from __future__ import annotations

from server.redacted import redacted


def clean(text: str) -> str:
    """Return ``text`` without secrets, private spans and injected memory, in a form that Postgres can hold."""
    return redacted(text, {}).encode("utf-8", "replace").decode("utf-8")
