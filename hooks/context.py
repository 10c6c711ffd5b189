"""What a hook says to its agent on purpose: the brief at a session's start, as JSON on standard output."""

from __future__ import annotations

import os

from capture import brief
from capture.jsonio import encode
from capture.project import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.config import HookConfig
    from capture.event import Event


def prepared(event: Event, home: str, config: HookConfig) -> bytes | None:
    """Return what to print at the start of this session, and note in ``event`` which brief it was; None for nothing."""
    if config.brief is None or event.subagent or off(home):
        return None
    found = brief.read(config.brief, find(event.cwd, make_id=None))
    if found is None:
        return None
    event.extra["brief"] = found.ident
    return encode(spoken(event, found.text)) + b"\n"


def spoken(event: Event, text: str) -> dict[str, object]:
    """Return ``text`` as the event's agent takes context: Cursor in words of its own, the others alike."""
    if event.agent == "cursor":
        return {"additional_context": text}
    return {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}


def say(said: bytes) -> None:
    """Print ``said``, all of it; a closed standard output is no trouble."""
    try:
        while said:
            said = said[os.write(1, said) :]
    except OSError:
        pass


def off(home: str) -> bool:
    """Return whether this device's memory is switched off."""
    try:
        os.stat(f"{home}/{brief.OFF}")
    except OSError:
        return False
    return True
