"""The server's net over a batch, before a row, a log line, an embedding or a model call sees any of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from capture.net import second_net, second_net_value
from schema.ids import recognised
from workers.incoming import Incoming

IDENTIFIERS = ("session", "turn", "call", "subagent")
WALKED = ("subagent_type", "cwd", "project", "body")

SMALL = 1_000_000
MOST_KEPT, LONGEST_KEPT = 16384, 600

_spotless_pairs: set[tuple[str, str]] = set()  # a key and a text under it in which the nets found nothing


def clean(
    events: Iterable[Incoming], between: Callable[[], None] = lambda: None
) -> list[tuple[Incoming, str]]:
    """Redact every value of ``events`` in place and count what the hook's net had missed (``caught``).

    Returns those that could not be walked, with the kind of error: nothing of them may be kept. ``between`` is called
    after each event.
    """
    failed = []
    for event in events:
        try:
            _clean(event)
        except (LookupError, RecursionError, TypeError, ValueError) as error:
            failed.append((event, type(error).__name__))
        between()
    return failed


def _clean(event: Incoming) -> None:
    caught: dict[str, int] = {}
    for name in IDENTIFIERS:
        value = getattr(event, name)
        if value is not None and not recognised(value):
            setattr(event, name, _walk(value, caught))
    for name in WALKED:
        value = getattr(event, name)
        if value is not None:
            setattr(event, name, _walk(value, caught))
    event.caught = caught


def clean_text(text: str) -> str:
    """One text through the net, without NUL (which Postgres cannot hold)."""
    redacted, _ = second_net(text)
    return redacted.replace("\x00", "�")


def _spotless(value: Any, key: str = "") -> bool:
    """Whether the nets leave ``value`` (under ``key``) as it is. A text that was looked at before need not be again.

    The nets judge each string by itself and by the key it stands under, so that verdicts can be kept for such pairs.
    """
    if isinstance(value, str):
        return (key, value) in _spotless_pairs or _looked_at(key, value)
    if isinstance(value, dict):
        return all(
            (("", name) in _spotless_pairs or _looked_at("", name)) and _spotless(held, name)
            for name, held in value.items()
        )
    if isinstance(value, list):
        return all(_spotless(held, key) for held in value)
    return not isinstance(value, int) or abs(value) < SMALL  # a large number may be a secret under its key


def _looked_at(key: str, text: str) -> bool:
    alone = {key: text} if key else text
    redacted, hits = second_net_value(alone)
    if hits or redacted is not alone or "\x00" in text:
        return False
    if len(text) <= LONGEST_KEPT:
        if len(_spotless_pairs) >= MOST_KEPT:
            _spotless_pairs.clear()
        _spotless_pairs.add((key, text))
    return True


def _walk(value: Any, caught: dict[str, int]) -> Any:
    if _spotless(value):
        return value
    redacted, hits = second_net_value(value)
    for rule, times in hits.items():
        caught[rule] = caught.get(rule, 0) + times
    return _storable(redacted)


def _storable(value: Any) -> Any:
    """Without NUL, which Postgres cannot hold."""
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd") if "\x00" in value else value
    if isinstance(value, dict):
        return {_storable(name): _storable(held) for name, held in value.items()}
    if isinstance(value, list):
        return [_storable(held) for held in value]
    return value
