"""Who a credential speaks for. Made from a token alone; no argument of a request ever widens it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Right(StrEnum):
    """What a principal may do; each right holds the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        """1 for reading, 2 for writing, 3 for administration."""
        return list(Right).index(self) + 1

    def covers(self, needed: Right) -> bool:
        """Whether this right is enough where ``needed`` is wanted."""
        return self.rank >= needed.rank


@dataclass(frozen=True, slots=True)
class Principal:
    """The client, user and agent a token speaks for.

    ``projects`` are the ids it may see (None: every project of the client). ``token`` is the token's id, for the
    audit log and the rate limit; None for a process of the owner's own that needs no token.
    """

    client: str
    user: str
    agent: str | None = None
    projects: tuple[str, ...] | None = None
    right: Right = Right.READ
    token: str | None = None

    def sees(self, project: str) -> bool:
        """Whether this project's rows are within reach."""
        return self.projects is None or project in self.projects
