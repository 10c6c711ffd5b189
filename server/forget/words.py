"""A person's literal text as patterns: whatever its letter case, its spaces and its Unicode form."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

MARK, OTHER_MARK = "[forgotten]", "[...]"
# Named besides, since a database's locale may know only the plain ones.
_SPACES = r"[[:space:]\u001c-\u001f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
_SPACE = f"{_SPACES}+"
_JSON_SPACE = rf"({_SPACES}|\\[fnrt]|\\u00(0b|1[c-f]|85))+"


@dataclass(frozen=True)
class Words:
    """What is looked for. ``stored`` and ``json`` are patterns of Postgres, for text and for JSON as text."""

    text: str
    stored: str = field(init=False)
    json: str = field(init=False)
    _pattern: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Make the patterns; letters of both cases are written out, whatever the database's locale knows of them."""
        # As it was given too: some signs have a form of their own that no normalisation gives back.
        forms = dict.fromkeys(
            [self.text, *(unicodedata.normalize(form, self.text) for form in ("NFC", "NFD"))]
        )
        found = [_pattern(form, _SPACE, _same) for form in forms]
        in_json = [_pattern(form, _JSON_SPACE, _quoted) for form in forms]
        object.__setattr__(self, "stored", "|".join(found))
        object.__setattr__(self, "json", "|".join(in_json))
        python = [_pattern(form, r"\s+", _same) for form in forms]
        object.__setattr__(self, "_pattern", re.compile("|".join(python)))

    def within(self, value: Any) -> bool:
        """Whether a text, or any text of a JSON value, keys among them, holds it."""
        if isinstance(value, str):
            return self._pattern.search(value) is not None
        if isinstance(value, list | tuple):
            return any(self.within(one) for one in value)
        if isinstance(value, dict):
            return any(self.within(one) for pair in value.items() for one in pair)
        return False

    def without(self, value: Any) -> Any:
        """``value`` with a mark in the place of every occurrence."""
        if isinstance(value, str):
            return self._pattern.sub(OTHER_MARK if self.within(MARK) else MARK, value)
        if isinstance(value, list):
            return [self.without(one) for one in value]
        if isinstance(value, dict):
            return {self.without(name): self.without(held) for name, held in value.items()}
        return value


def _pattern(text: str, space: str, literal: Any) -> str:
    return space.join("".join(_either(sign, literal) for sign in word) for word in text.split())


def _either(sign: str, literal: Any) -> str:
    """One sign in every case it has, as a group of alternatives."""
    cases = dict.fromkeys(form for form in (sign, sign.lower(), sign.upper()) if len(form) == 1)
    written = [re.escape(literal(form)) for form in cases]
    return written[0] if len(written) == 1 else f"({'|'.join(written)})"


def _same(sign: str) -> str:
    return sign


def _quoted(sign: str) -> str:
    """As JSON writes it inside a string."""
    return json.dumps(sign, ensure_ascii=False)[1:-1]
