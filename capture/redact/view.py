"""A text under search, and what a finder may ask of it before it is loaded."""

from capture.redact.programs import Program

_TELLING = Program("view.telling", r"[A-Z0-9]|[^\x00-\x7f]")
_LONG = 9
_COLONS = 4


class View:
    """One form of a text, with its lower-case twin of equal length.

    ``telling`` are its distinct runs without a blank, 9 characters and more, in which a capital, a digit or a
    letter outside ASCII stands: what nobody announces is found in these alone.
    """

    __slots__ = ("low", "telling", "text")

    def __init__(self, text: str) -> None:
        """Make the view of ``text``."""
        self.text = text
        low = text.lower()
        self.low = low if len(low) == len(text) else text.replace("\u0130", "I").lower()
        tells = _TELLING().search
        self.telling = [run for run in set(text.split()) if len(run) >= _LONG and tells(run)]

    def colons(self) -> bool:
        """Whether four colons stand in one run, as they do in lines of pgpass and passwd."""
        return self.text.count(":") >= _COLONS and any(run.count(":") >= _COLONS for run in self.text.split())

    def longest(self) -> int:
        """The length of the longest telling run, 0 where there is none."""
        return max(map(len, self.telling), default=0)
