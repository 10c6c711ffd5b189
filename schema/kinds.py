"""The kinds of result that recall can give, in the order they are named in."""

from __future__ import annotations

KINDS = ("fact", "event", "summary", "commit", "memory", "item", "document", "message", "turn", "session")
