"""The server's net over a batch, before a row, a log line, an embedding or a model call sees any of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from capture.net import second_net
from workers.incoming import Incoming

PLAIN_NAME = 16  # a short identifier is a key of the contract, or too little to be a secret
WALKED = ("session", "turn", "call", "subagent", "subagent_type", "cwd", "project", "body")


def clean(events: Iterable[Incoming]) -> None:
    """Redact every value of ``events`` in place and count what the hook's net had missed (``caught``)."""
    for event in events:
        caught: Counter[str] = Counter()
        for name in WALKED:
            setattr(event, name, _walk(getattr(event, name), caught))
        event.caught = dict(caught)


def clean_text(text: str) -> str:
    """One text through the net, without NUL (which Postgres cannot hold)."""
    redacted, _ = second_net(text)
    return redacted.replace("\x00", "�")


def _walk(value: Any, caught: Counter[str]) -> Any:
    if isinstance(value, str):
        redacted, hits = second_net(value)
        if hits:
            caught.update(hits)
        return redacted.replace("\x00", "�") if "\x00" in redacted else redacted
    if isinstance(value, dict):
        return {
            name if len(name) <= PLAIN_NAME and name.isidentifier() else _walk(name, caught): _walk(
                held, caught
            )
            for name, held in value.items()
        }
    if isinstance(value, list):
        return [_walk(held, caught) for held in value]
    return value
