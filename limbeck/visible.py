"""Stored text as a terminal may show it: nothing in it moves the cursor, changes colours or turns the line round."""

from __future__ import annotations

import re

# C0 without tab and newline, DEL and C1; marks and overrides of the direction of writing.
_BIDI = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
DRIVING = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}]")


def visible(text: str) -> str:
    r"""Return ``text`` with what drives a terminal written out, as ``\x1b``; newline and tab stay."""
    return DRIVING.sub(_written_out, text)


def in_json(text: str) -> str:
    """Return JSON ``text`` with the same characters as JSON escapes; the values it stands for stay the same."""
    return DRIVING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _written_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
