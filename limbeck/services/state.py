"""What the supervisor says of itself in ``run/state.json``, for `up`, `down`, `status` and its successor."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from limbeck.services.child import Identity


class Phase(StrEnum):
    """Where a supervisor is in its life."""

    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(slots=True)
class ChildState:
    """One child: its identity while it runs, how often it was started again, and why it does not run."""

    identity: Identity | None = None
    restarts: int = 0
    error: str | None = None


@dataclass(slots=True)
class State:
    """A supervisor's last word; times are Unix seconds.

    ``held`` are marks of the settings that it took at its start and changes no more, ``given`` names the variables that
    set some there (``limbeck/configure/holding.py``).
    """

    supervisor: Identity
    phase: Phase = Phase.STARTING
    step: str = ""
    since: float = 0.0
    error: str | None = None
    warnings: list[str] = field(default_factory=list)
    children: dict[str, ChildState] = field(default_factory=dict)
    full: bool = False
    held: dict[str, str] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)

    @property
    def alive(self) -> bool:
        """Whether the supervisor that wrote this still runs."""
        return self.supervisor.process() is not None

    def young(self, now: float, within: float) -> bool:
        """Whether it runs and began less than ``within`` seconds before ``now``."""
        return now - self.since < within and self.alive


def write(folder: Path, state: State) -> None:
    """Replace the state as one act: a reader sees the old or the new, never half."""
    partial = folder / f".state.{os.getpid()}"
    partial.touch(mode=0o600)
    partial.write_text(json.dumps(asdict(state)), "utf-8")
    partial.replace(folder / "state.json")


def read(folder: Path) -> State | None:
    """The last state, or None where there is none or it cannot be understood."""
    try:
        data: dict[str, Any] = json.loads((folder / "state.json").read_text("utf-8"))
        children = {
            name: ChildState(_identity(child["identity"]), child["restarts"], child["error"])
            for name, child in data.pop("children").items()
        }
        supervisor = Identity(**data.pop("supervisor"))
        return State(supervisor, Phase(data.pop("phase")), children=children, **data)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _identity(data: dict[str, Any] | None) -> Identity | None:
    return Identity(**data) if data else None
