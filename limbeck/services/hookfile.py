"""``hook.json``: what the hooks know of this installation. They read it, and no variable, on every event."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from capture import brief
from capture.config import Asked, HookConfig, Limits, Queue
from capture.policy import Policy
from limbeck.server import address, owner
from limbeck.settings import Settings


def hook_config(settings: Settings, redis_url: str | None, spool: Path) -> HookConfig:
    """What hooks are told, so that they append to the queue at ``redis_url`` or else to ``spool``.

    Without a queue (a team's server takes the events from the shipper) they always write to the spool.
    """
    return HookConfig(
        client=settings.client,
        spool=str(spool),
        queue=None if redis_url is None else queue_address(redis_url),
        policy=Policy(
            paths=settings.ignore_paths,
            tools=settings.ignore_tools,
            projects=settings.ignore_projects,
            subagents=settings.ignore_subagents,
        ),
        limits=Limits(spool_bytes=settings.spool_megabytes * 1024**2),
        brief=None if settings.inject == "off" else str(settings.home / brief.FOLDER),
        ask=_asked(settings) if settings.inject == "prompt" else None,
    )


def _asked(settings: Settings) -> Asked:
    return Asked(str(settings.home / "run" / address.NAME), str(settings.home / owner.TOKEN))


def queue_address(redis_url: str) -> Queue:
    """The address in ``redis_url`` (``unix``, ``redis`` or ``rediss``), as the hooks and the shipper read it."""
    parts = urlsplit(redis_url)
    if parts.scheme == "unix":
        return Queue(socket=unquote(parts.path))
    return Queue(
        host=parts.hostname or "127.0.0.1",
        port=parts.port or 6379,
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        tls=parts.scheme == "rediss",
    )
