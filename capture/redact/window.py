"""Redaction of long texts, of which only the start is kept."""

from capture.redact import engine, marker
from capture.redact.deadline import Deadline

MARGIN = 1024


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
