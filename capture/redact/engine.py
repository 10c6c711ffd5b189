"""Search a text for secrets, merge what was found, replace it by markers; repeated until nothing changes."""

from capture.redact import finders, marker
from capture.redact.deadline import Deadline, DeadlinePassed
from capture.redact.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from capture.redact.finders import Spans

    Scan: TypeAlias = Callable[[str, Deadline], Spans]

_WEAKEST = ("high-entropy", "cue", "encoded", "cli-flag", "credential", "positional")
_PASSES = 8
BUDGET = 0.25


def redact(text: str, *, deadline: Deadline | None = None) -> tuple[str, dict[str, int]]:
    """Return ``text`` with every secret replaced by a typed marker, and the count of each rule.

    Clean text comes back as the same object; redacting twice changes nothing. Where ``deadline`` (250 ms of
    its own by default) passes, or anything fails, the whole text becomes one marker, counted as such.
    """
    return guarded(text, deadline, fixpoint)


def guarded(
    text: str, deadline: Deadline | None, work: "Callable[[str, Deadline], tuple[str, dict[str, int]]]"
) -> tuple[str, dict[str, int]]:
    """Run ``work`` under the deadline; fail closed."""
    if not text:
        return text, {}
    limit = deadline or Deadline(BUDGET + len(text) * 2e-6)
    try:
        try:
            limit.start()
            return work(text, limit)
        finally:
            limit.stop()
    except DeadlinePassed:
        limit.stop()
        return marker.marker("deadline"), {"deadline": 1}
    except Exception:
        limit.stop()
        return marker.marker("error"), {"error": 1}


def fixpoint(
    text: str, deadline: Deadline, counts: "dict[str, int] | None" = None, scan: "Scan | None" = None
) -> tuple[str, dict[str, int]]:
    """Search with ``scan`` (the hook's rules by default) and replace, until a pass finds nothing more.

    Each pass leaves less that is not a marker, so it ends; adds to ``counts`` where given.
    """
    counts = {} if counts is None else counts
    for _ in range(_PASSES):
        held = marker.spans(text)
        found = merge((scan or search)(marker.blank(text, held), deadline), held)
        if not found:
            return text, counts
        text = replace(text, found, counts)
    return marker.marker("error"), {"error": 1}


def search(text: str, deadline: Deadline) -> "Spans":
    """Every span of ``text`` that a rule calls a secret, in no order, overlapping."""
    spans: Spans = []
    view = View(text)
    _direct(view, deadline, spans)
    finders.encoded(view, spans, lambda plain: _holds_secret(plain, deadline))
    unfolded = finders.unfolded(text)
    if unfolded:
        read, offsets = unfolded
        inner: Spans = []
        _direct(View(read), deadline, inner)
        spans.extend((offsets[start], _end(offsets, end), name) for start, end, name in inner)
    return spans


def _end(offsets: list[int], end: int) -> int:
    return offsets[end - 1] + 1 if offsets[end - 1] + 1 == offsets[end] else offsets[end]


def _direct(view: View, deadline: Deadline, spans: "Spans") -> None:
    for find in finders.ALL:
        deadline.check()
        find(view, spans)


def _holds_secret(plain: str, deadline: Deadline) -> bool:
    spans: Spans = []
    _direct(View(plain), deadline, spans)
    return any(name != "high-entropy" for _, _, name in spans)


def merge(spans: "Spans", held: list[tuple[int, int]]) -> "Spans":
    """Join overlapping spans under the most telling name, and cut out of them the markers in ``held``."""
    joined: Spans = []
    for start, end, name in sorted(spans):
        if end <= start:
            continue
        if joined and start < joined[-1][1]:
            first, last, kept = joined[-1]
            joined[-1] = (first, max(last, end), name if kept in _WEAKEST and name not in _WEAKEST else kept)
        else:
            joined.append((start, end, name))
    if not held or not joined:
        return joined
    return [piece for span in joined for piece in _outside(span, held)]


def _outside(span: tuple[int, int, str], held: list[tuple[int, int]]) -> "Spans":
    start, end, name = span
    pieces: Spans = []
    for first, last in held:
        if last <= start or first >= end:
            continue
        if first > start:
            pieces.append((start, first, name))
        start = max(start, last)
    if start < end:
        pieces.append((start, end, name))
    return pieces


def replace(text: str, spans: "Spans", counts: dict[str, int]) -> str:
    """Return ``text`` with each span replaced by its marker, counting into ``counts``."""
    out: list[str] = []
    at = 0
    for start, end, name in spans:
        out.append(text[at:start])
        out.append(marker.marker(name))
        counts[name] = counts.get(name, 0) + 1
        at = end
    out.append(text[at:])
    return "".join(out)
