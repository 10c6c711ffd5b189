"""The plugin that Claude Code and Codex share: whose payload is it? The environment does not tell, it is inherited."""

from __future__ import annotations

from hooks import payload
from hooks.claude import adapter as claude
from hooks.codex import adapter as codex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from capture.event import Event

AGENT = "plugin"


def wants_input(_arguments: list[str]) -> bool:
    """Every event comes as JSON on standard input."""
    return True


def read(arguments: list[str], raw: bytes) -> list[Event]:
    """Return the events in one payload, read as the agent's that sent it."""
    reader = codex.read if _from_codex(payload.decode(raw)) else claude.read
    return reader(arguments, raw)


def _from_codex(said: dict[str, object]) -> bool:
    """Codex names a turn, and its transcript (null where it keeps none) begins with ``rollout-``."""
    if "turn_id" in said or "prompt_id" in said:
        return "turn_id" in said
    transcript = said.get("transcript_path", "")
    if transcript is None:
        return True
    name = str(transcript).replace("\\", "/").rsplit("/", 1)[-1]
    return name.startswith("rollout-")
