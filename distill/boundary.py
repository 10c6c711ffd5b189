"""The boundary every distiller stands behind."""

from __future__ import annotations

from typing import Protocol

from schema.records import Distillate, SessionEvidence


class Distiller(Protocol):
    """Turns a session's evidence into what it came to. It proposes; ``resolve`` decides."""

    @property
    def name(self) -> str:
        """Return the name that is kept with each summary."""

    def distil(self, evidence: SessionEvidence) -> Distillate:
        """Return the distillate. Raises a LimbeckError whose ``permanent`` says whether to try again."""
