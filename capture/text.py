"""Strings on their way out: private spans dropped, secrets replaced, and lengths bounded, in that order."""

from __future__ import annotations

from capture.plain import plain
from capture.private import drop_private

SHORT = 512
# What redaction may take, in seconds; what is not done by then is replaced whole by a marker.
SPOKEN_SECONDS = 0.1
SHORT_SECONDS = 0.05


def spoken(text: str, limit: int, counts: dict[str, int], from_start: bool = False) -> dict[str, object]:
    """Return the body fields of a text: ``text``, ``chars`` (its full length) and ``cut`` where it was shortened.

    A text that was cut ends in a note of how much is kept. ``limit`` is in characters. What was redacted is
    added to ``counts`` by rule. ``from_start``: this process does nothing else, and all it used counts.
    """
    from capture.redact import Deadline, redact_window

    deadline = Deadline(SPOKEN_SECONDS, from_start=from_start)
    kept, found, _, cut = redact_window(drop_private(text), limit, deadline=deadline)
    add(counts, found)
    body: dict[str, object] = {"text": kept, "chars": len(text)}
    if cut:
        body["cut"] = True
    return body


def tidy(value: dict[str, object], counts: dict[str, int]) -> dict[str, object]:
    """Return ``value`` with every string in it redacted and at most ``SHORT`` characters long.

    Mostly a look at the words, or else one at all strings together, finds nothing; where it does, each is
    redacted by itself.
    """
    strings: list[str] = []
    bounded = _bounded(value, strings, counts)
    if plain(strings):
        return bounded if isinstance(bounded, dict) else {}
    from capture.redact import Deadline, redact
    from capture.redact.walk import apart, made_up, redact_value

    deadline = Deadline(SHORT_SECONDS)
    pieces = apart(bounded)
    if any(map(made_up, pieces)) or redact("\n".join(strings + pieces), deadline=deadline)[1]:
        bounded, found = redact_value(bounded, deadline=deadline)
        add(counts, found)
    return bounded if isinstance(bounded, dict) else {}


def _bounded(value: object, strings: list[str], counts: dict[str, int]) -> object:
    """Cut what is too long (redacting it first) and note every string that is left to look at."""
    if isinstance(value, str):
        if len(value) > SHORT:
            from capture.redact import Deadline, redact_window

            value, found, _, _ = redact_window(value, SHORT, deadline=Deadline(SHORT_SECONDS))
            add(counts, found)
            value = value[:SHORT]
        strings.append(value)
        return value
    if isinstance(value, dict):
        return {key: _bounded(one, strings, counts) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_bounded(one, strings, counts) for one in value]
    return value


def add(counts: dict[str, int], found: dict[str, int]) -> None:
    """Add ``found`` to ``counts``, rule by rule."""
    for rule, number in found.items():
        counts[rule] = counts.get(rule, 0) + number
