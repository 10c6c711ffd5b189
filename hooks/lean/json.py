"""``json`` without ``re``: the same C scanner and encoder, given what the wrappers would give them."""

from __future__ import annotations

from _json import encode_basestring, make_encoder, make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLANK = " \t\n\r"
_CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


class _Usual:
    """The scanner's settings, as ``json.loads`` has them."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = _CONSTANTS.__getitem__


_usual: Any = _Usual
_scan: Any = make_scanner(_usual)


def loads(text: str) -> object:
    """Return the value that ``text`` holds; ValueError where it is not JSON."""
    start = len(text) - len(text.lstrip(BLANK)) if text[:1] in BLANK else 0
    try:
        value, end = _scan(text, start)
    except StopIteration:
        raise ValueError("no value") from None
    if text[end:].strip(BLANK):
        raise ValueError("more than one value")
    return value


def dumps(value: object, ensure_ascii: bool, separators: tuple[str, str]) -> str:
    """Return ``value`` as JSON in its own letters; ``ensure_ascii`` is refused."""
    if ensure_ascii:
        raise NotImplementedError
    item, key = separators
    encode = make_encoder({}, _refuse, encode_basestring, None, key, item, False, False, True)
    return "".join(encode(value, 0))


def _refuse(value: object) -> object:
    raise TypeError(type(value).__name__)
