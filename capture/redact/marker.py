"""Markers: what stands in the place of a secret, and how markers already in a text are recognised.

Only markers with a name of ours are opaque, so that ``[REDACTED:`` followed by a real value hides nothing.
"""

from capture.redact.programs import Program

OPEN = "[REDACTED:"
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_MARKER = Program("marker", r"\[REDACTED:([a-z0-9-]{1,40})\]")
_FILL = "\x7f"
_names: set[str] = set()


def marker(name: str) -> str:
    """Return the marker for the rule ``name``, such as ``[REDACTED:github-token]``."""
    return OPEN + name + "]"


def _known() -> set[str]:
    if not _names:
        from capture.redact import catalogue

        _names.update(catalogue.names())
    return _names


def learn(names: "Iterable[str]") -> None:
    """Add the marker names of another net to those that are recognised."""
    _known().update(names)


def spans(text: str) -> list[tuple[int, int]]:
    """Where known markers stand in ``text``, in order."""
    if OPEN not in text:
        return []
    known = _known()
    return [match.span() for match in _MARKER().finditer(text) if match[1] in known]


def blank(text: str, held: list[tuple[int, int]]) -> str:
    """``text`` with each marker in ``held`` overwritten, so that a marker's own words mean nothing to a rule."""
    if not held:
        return text
    out: list[str] = []
    at = 0
    for start, end in held:
        out.append(text[at:start])
        out.append(_FILL * (end - start))
        at = end
    out.append(text[at:])
    return "".join(out)
