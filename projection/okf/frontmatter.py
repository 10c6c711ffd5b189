"""Frontmatter as text that every YAML reader takes alike, and back.

Strings are written double-quoted with JSON's escapes, which YAML shares; whatever a YAML reader may refuse or fold
is escaped by its number, so a title may hold anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

FENCE = "---"
# Control characters, the line breaks of YAML, byte order marks, lone surrogates and what is no character at all.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


class Unparsable(ValueError):
    """The frontmatter cannot be read; ``line`` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        """Keep where and why."""
        super().__init__(why)
        self.line, self.why = line, why


def block(fields: Mapping[str, Any]) -> str:
    """Return ``fields`` between two fences, in their order; values are JSON's kinds, None is left out."""
    lines = [f"{name}: {value(held)}" for name, held in fields.items() if held is not None]
    return "\n".join([FENCE, *lines, FENCE, ""])


def value(held: Any) -> str:
    """One value in flow style, on one line."""
    if isinstance(held, str):
        return text(held)
    if isinstance(held, Mapping):
        return "{" + ", ".join(f"{text(name)}: {value(one)}" for name, one in held.items()) + "}"
    if isinstance(held, list | tuple):
        return "[" + ", ".join(value(one) for one in held) + "]"
    return json.dumps(held)


def text(held: str) -> str:
    """One string in double quotes."""
    return _ESCAPED.sub(_number, json.dumps(held, ensure_ascii=False))


def _number(found: re.Match[str]) -> str:
    code = ord(found.group())
    return "\\ufffd" if 0xD800 <= code <= 0xDFFF else f"\\u{code:04x}"


def split(page: str) -> tuple[str | None, str, int]:
    """Return the frontmatter's text (None where there is none), the body, and the line the body begins at.

    Raises Unparsable where the frontmatter never ends.
    """
    lines = page.split("\n")
    if lines[0].rstrip() != FENCE:
        return None, page, 1
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() == FENCE:
            return "\n".join(lines[1 : number - 1]), "\n".join(lines[number:]), number + 1
    raise Unparsable(1, "the frontmatter has no closing ---")


def read(page: str) -> tuple[dict[str, Any] | None, str, int]:
    """Return the frontmatter's fields (None where there is none), the body and its first line. Raises Unparsable."""
    raw, body, line = split(page)
    if raw is None:
        return None, body, line
    try:
        fields = yaml.safe_load(raw)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        why = getattr(error, "problem", None) or type(error).__name__
        raise Unparsable(2 + mark.line if mark else 2, f"the frontmatter is not YAML: {why}") from error
    if fields is None:
        fields = {}
    if not isinstance(fields, dict):
        raise Unparsable(2, "the frontmatter is not a list of `name: value` lines")
    return {str(name): held for name, held in fields.items()}, body, line
