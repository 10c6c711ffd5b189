"""The wall around a read: the client, the projects it may see, and whose personal rows; its one condition in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Scope:
    """The client, its projects (None: every project of the client), and the user whose personal rows show."""

    client: str
    projects: tuple[str, ...] | None = None
    user: str = ""

    def where(self, alias: str = "") -> str:
        """The condition that holds a table (as ``alias``) inside the wall; ``values`` fills it."""
        client = f"{alias}.client" if alias else "client"
        return f"{client} = :client {narrowed(self.projects, alias)}"

    @property
    def values(self) -> dict[str, Any]:
        """What ``where`` names."""
        return values(self.client, self.projects)


def narrowed(projects: Sequence[str] | None, alias: str = "") -> str:
    """The condition, to follow another, that keeps to ``:projects``; empty where ``projects`` is None."""
    column = f"{alias}.project" if alias else "project"
    return "" if projects is None else f"AND {column} = ANY(CAST(:projects AS uuid[]))"


def values(client: str, projects: Sequence[str] | None) -> dict[str, Any]:
    """What ``narrowed`` names, and ``:client``."""
    return {"client": client} | ({} if projects is None else {"projects": list(projects)})
