"""What drafts are made from: prompts, commits, messages, and passages of imported documents, already redacted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from schema.records import Evidence


@dataclass(frozen=True, slots=True)
class Material:
    """One text. ``kind`` is exchange, commit, message or document; ``id`` its row's, of a passage the passage's.

    ``title`` is a message's or the heading of a passage.
    """

    kind: str
    id: str
    text: str
    at: datetime
    title: str = ""
    session: str | None = None
    commit: str | None = None

    @property
    def evidence(self) -> Evidence:
        """The pointer that a draft made from it carries."""
        return Evidence(self.kind, self.id, self.at, self.session, self.commit)
