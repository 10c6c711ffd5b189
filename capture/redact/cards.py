"""Numbers of payment cards with a right check digit: grouped as they are embossed, or beside a word for a card."""

from capture.redact import cues
from capture.redact.programs import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.redact.finders import Spans
    from capture.redact.view import View

# Not among other groups of digits: a table of numbers is none.
_CARD = Program(
    "cards.card",
    r"(?<![\w.+-])(?<![0-9][ -])"
    r"(?:([3-6][0-9]{3}([ -])[0-9]{4}\2[0-9]{4}\2[0-9]{4}|3[47][0-9]{2}([ -])[0-9]{6}\3[0-9]{5})"
    r"|([3-6][0-9]{12,18}))(?![\w-]|\.[0-9]|[ ][0-9])",
)
_BEFORE, _AFTER = 80, 40
_FEWEST = 3


def find(view: "View", spans: "Spans") -> None:
    """Add the span of every card's number."""
    text, low = view.text, view.low
    for match in _CARD().finditer(text):
        digits = [int(sign) for sign in match[0] if sign.isdigit()]
        if len(set(digits)) >= _FEWEST and _checked(digits) and (match[1] or _cued(low, *match.span())):
            spans.append((*match.span(), "payment-card"))


def _checked(digits: list[int]) -> bool:
    """Whether the last digit is the one that Luhn's sum asks for."""
    twice = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(digits[::-2]) + sum(twice)) % 10 == 0


def _cued(low: str, start: int, stop: int) -> bool:
    near = (
        low[max(0, start - _BEFORE) : start].rpartition("\n")[2]
        + " "
        + low[stop : stop + _AFTER].partition("\n")[0]
    )
    return any(cue in near for cue in cues.CARDS)
