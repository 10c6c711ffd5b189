"""A page in the run folder that leads a browser on to a one-time link.

What a program is started with can be read by everybody on the machine; so a browser is given this file's path, and
only its owner can read what it says.
"""

from __future__ import annotations

import os
import secrets
from html import escape
from pathlib import Path

NAMES = "open-*.html"
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={link}"><title>Limbeck</title></head>
<body><p><a href="{link}">Go on to Limbeck</a></p></body></html>
"""


def write(run: Path, link: str) -> Path:
    """Put a page that leads to ``link`` into ``run``, for its owner's eyes, and return where it is.

    Pages of before are taken away: their links work no more, or are used already. Raises OSError.
    """
    forget(run)
    path = run / NAMES.replace("*", secrets.token_hex(8))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(_PAGE.format(link=escape(link)))
    return path


def forget(run: Path) -> None:
    """Take away every such page."""
    for path in run.glob(NAMES):
        path.unlink(missing_ok=True)
