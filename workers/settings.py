"""What a worker is told at start; the front door reads the environment and passes this down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote, unquote, urlsplit

from recall.embedding.choose import Choice


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """``redis_url`` is ``redis://``, ``rediss://`` or ``unix:///path``; times in seconds.

    ``classify_tokens`` is how much a project must have to read before it is classified by itself (0: never). What is
    older than ``retain_days`` and ``retain_audit_days`` (0: nothing) goes by itself, as the owner at ``owner_url``.
    """

    database_url: str
    redis_url: str
    idle_after: float = 30 * 60
    quiet_after: float = 5 * 60
    distiller: str = "offline"
    anthropic_key: str | None = None
    anthropic_url: str | None = None
    model: str | None = None
    daily_usd: float = 0.0
    session_usd: float = 0.0
    at_cap: Literal["offline", "wait"] = "offline"
    classify_tokens: int = 1_000
    embeddings: Choice = field(default_factory=Choice)
    owner_url: str | None = field(default=None, repr=False)
    retain_days: int = 0
    retain_audit_days: int = 0

    @property
    def broker_url(self) -> str:
        """The same server as Celery wants it written."""
        if self.redis_url.startswith("unix://"):
            return (
                "redis+socket://"
                + quote(unquote(urlsplit(self.redis_url).path), safe="/")
                + "?virtual_host=0"
            )
        return self.redis_url
