"""The session's state diagram, drawn from the table that decides."""

from __future__ import annotations

from workers.lifecycle import TABLE, Effect, State


def mermaid() -> str:
    """Return the diagram; transitions that change nothing and ask for nothing are left out."""
    lines = ["stateDiagram-v2", f"    [*] --> {State.ACTIVE}"]
    for (state, signal), (after, effect) in TABLE.items():
        if state is after and effect is Effect.NONE:
            continue
        label = signal.value if effect is Effect.NONE else f"{signal.value} / {effect.value}"
        lines.append(f"    {state} --> {after}: {label}")
    return "\n".join(lines)
