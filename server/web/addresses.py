"""Addresses of pages: what is looked at stands in the query, so that an address can be passed on."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, urlencode, urlsplit

# The list of places: what they are for, and each one's path and name.
PLACES = (
    ("Watch", (("/now", "Now"), ("/sessions", "Sessions"), ("/code", "Code"))),
    (
        "Know",
        (
            ("/facts", "Facts"),
            ("/review", "Review"),
            ("/recall", "Recall"),
            ("/trace", "Trace"),
            ("/memories", "Memories"),
        ),
    ),
    ("Plan", (("/backlog", "Backlog"), ("/documents", "Documents"))),
    ("Keep", (("/settings", "Settings"),)),
)


def to(path: str, query: Mapping[str, object] | None = None, /, **changed: object) -> str:
    """Return ``path`` with ``query`` as ``changed`` says; what is None, empty or False is left out."""
    values = {**(query or {}), **changed}
    kept = {key: value for key, value in values.items() if value not in (None, "", False)}
    return f"{path}?{urlencode(kept, quote_via=quote)}" if kept else path


def inside(text: str | None, otherwise: str = "/now") -> str:
    """Return ``text`` where it is an address of ours (a path from the root), else ``otherwise``."""
    given = text or ""
    if not given.startswith("/") or given.startswith("//") or "\\" in given or any(c < " " for c in given):
        return otherwise
    parts = urlsplit(given)
    return given if not parts.scheme and not parts.netloc else otherwise
