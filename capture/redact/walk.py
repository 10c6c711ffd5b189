"""Redaction of JSON values and of long texts."""

from capture.redact import accept, engine, marker, names
from capture.redact.deadline import Deadline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DEEPEST = 64
MARGIN = 1024


def redact_value(value: "Any", *, deadline: Deadline | None = None) -> "tuple[Any, dict[str, int]]":
    """Return a JSON ``value`` with every string in it redacted, and the counts by rule.

    A key that names a secret gives its string value context. Keys are redacted where they hold a secret
    themselves. The same object comes back where nothing changed; what is nested deeper than 64 becomes a marker.
    """
    counts: dict[str, int] = {}
    return _walk(value, "", counts, deadline, 0), counts


def _walk(value: "Any", key: str, counts: dict[str, int], deadline: Deadline | None, depth: int) -> "Any":
    if depth > _DEEPEST:
        return _marked("depth", counts)
    if isinstance(value, str):
        return _string(value, key, counts, deadline)
    if isinstance(value, dict):
        made = {
            (_string(name, "", counts, deadline) if isinstance(name, str) else name): _walk(
                item, name if isinstance(name, str) else "", counts, deadline, depth + 1
            )
            for name, item in value.items()
        }
        same = all(
            left is right
            for pair in zip(made.items(), value.items(), strict=False)
            for left, right in zip(*pair, strict=True)
        )
        return value if same and len(made) == len(value) else made
    if isinstance(value, list):
        items = [_walk(item, key, counts, deadline, depth + 1) for item in value]
        return value if all(left is right for left, right in zip(items, value, strict=True)) else items
    if key and isinstance(value, int) and abs(value) > 999_999 and names.level(key) == names.PASSWORD:
        return _marked("password", counts)
    return value


def _string(value: str, key: str, counts: dict[str, int], deadline: Deadline | None) -> str:
    clean, found = engine.redact(value, deadline=deadline)
    for rule, count in found.items():
        counts[rule] = counts.get(rule, 0) + count
    if key and clean is value:
        sure = names.level(key)
        if sure and accept.quoted(value, sure, ":"):
            return _marked(names.label(key, sure), counts)
    return clean


def _marked(rule: str, counts: dict[str, int]) -> str:
    counts[rule] = counts.get(rule, 0) + 1
    return marker.marker(rule)


def redact_window(
    text: str, limit: int, *, deadline: Deadline | None = None
) -> tuple[str, dict[str, int], int, bool]:
    """Return the redacted start of ``text``, its counts, the full length and whether it was cut.

    The window that is redacted reaches 1,024 characters past ``limit``, so that no secret at the edge is seen
    in part; only then is it cut to ``limit`` characters, followed by a note of the full length.
    """
    full = len(text)
    window = text if full <= limit + MARGIN else text[: limit + MARGIN]
    clean, counts = engine.redact(window, deadline=deadline)
    keep = len(clean) if len(window) == full else max(len(clean) - MARGIN, 0)
    if keep <= limit and len(window) == full:
        return clean, counts, full, False
    keep = min(keep, limit)
    for start, end in marker.spans(clean):
        if start < keep < end:
            keep = start
    return f"{clean[:keep]} [cut: {keep} of {full} characters kept]", counts, full, True
