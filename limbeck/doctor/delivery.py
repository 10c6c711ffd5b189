"""Where events go: the queue a hook appends to, the spool it falls back to, the account that owns the
servers."""

from __future__ import annotations

import socket
from pathlib import Path

from capture.config import HookConfig, Queue
from limbeck.doctor.finding import Finding, broken, ok, warning
from limbeck.ship.files import Backlog
from limbeck.unread import unread

SPOOL_CHECK = "spool"
QUEUE_CHECK = "queue"
PATIENCE = 2.0  # seconds for a connection
TOO_OLD = 300.0  # seconds that an event may wait in the spool before something must be wrong
START = "Run: limbeck up"


def spooled(waiting: Backlog, most_bytes: int) -> list[Finding]:
    """Judge a spool that may hold ``most_bytes``."""
    findings = []
    size = f"{waiting.bytes / 1024:.0f} KiB"
    age = waiting.oldest_seconds or 0.0
    if age > TOO_OLD:
        what = f"Events wait in the spool ({size}) for {age / 60:.0f} minutes: nobody ships them."
        findings.append(broken(SPOOL_CHECK, what, f"{START} (or `limbeck ship` where the queue is remote)"))
    elif waiting.bytes > most_bytes / 2:
        what = f"The spool is more than half full ({size})."
        findings.append(warning(SPOOL_CHECK, what, f"{START}; or raise LIMBECK_SPOOL_MEGABYTES."))
    if waiting.refused:
        what = f"{waiting.refused} events were refused because the spool was full or could not be written."
        do = "Free disk space or raise LIMBECK_SPOOL_MEGABYTES; `limbeck status` counts them."
        findings.append(warning(SPOOL_CHECK, what, do))
    if waiting.torn or waiting.torn_bytes:
        what = f"{waiting.torn} spooled lines were no whole events ({waiting.torn_bytes:,} bytes of them are kept)."
        findings.append(
            warning(SPOOL_CHECK, what, "Look at torn.jsonl in the spool, and remove it afterwards.")
        )
    if waiting.aside:
        what = f"{waiting.aside} errands of the spool could not be run and are set aside."
        findings.append(
            warning(SPOOL_CHECK, what, "Read the log for why, and remove them from the spool's aside.")
        )
    if waiting.full:
        what = "The queue is above its high-water mark, so hooks spool."
        findings.append(warning(SPOOL_CHECK, what, "Look at the worker: limbeck status"))
    return findings or [ok(SPOOL_CHECK, f"{size} waiting")]


def queue_answers(queue: Queue | None, told: bool) -> list[Finding]:
    """Try the queue the hooks append to; ``told`` says that hook.json, which names it, is there."""
    if not told:
        return [broken(QUEUE_CHECK, "The hooks were never told where the queue is (no hook.json).", START)]
    if queue is None:
        return [warning(QUEUE_CHECK, "hook.json names no queue, so every event is spooled.", START)]
    where = queue.socket or f"{queue.host}:{queue.port}"
    try:
        _connect(queue)
    except OSError as error:
        why = error.strerror or str(error) or type(error).__name__
        return [broken(QUEUE_CHECK, f"The queue at {where} cannot be reached: {why}.", START)]
    return [ok(QUEUE_CHECK, f"{where} answers")]


def policy_leaves_out(config: HookConfig, project: Path | None) -> list[Finding]:
    """Say so where the project one stands in is excluded by the policy: nothing is captured then."""
    if project is not None and config.policy.joined(str(project)).project(str(project), None):
        what = f"{project} is excluded by the policy or a .limbeckignore: nothing is captured there."
        return [warning("policy", what, "Take the pattern out if that is not wanted.")]
    return []


def unread_patterns(project: Path | None) -> list[Finding]:
    """Say so where the project one stands in has more patterns of what is left out than hooks look at."""
    said = unread(str(project)) if project is not None else ""
    return [warning("policy", said, "What those lines name is captured until then.")] if said else []


def account(name: str | None, folder: Path) -> list[Finding]:
    """As root the servers belong to another account; say which. ``name`` is None where they run as
    ourselves."""
    if name is None:
        return []
    return [ok("account", f"as root, the servers run as {name} and keep their data in {folder}")]


def _connect(queue: Queue) -> None:
    """Send PING; any answer of the protocol, also one that wants a password, is an answer."""
    if queue.socket is not None:
        wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        wire.settimeout(PATIENCE)
        with wire:
            wire.connect(queue.socket)
            _ping(wire)
        return
    with socket.create_connection((queue.host or "127.0.0.1", queue.port), PATIENCE) as wire:
        if not queue.tls:
            _ping(wire)


def _ping(wire: socket.socket) -> None:
    wire.sendall(b"*1\r\n$4\r\nPING\r\n")
    if wire.recv(64)[:1] not in (b"+", b"-"):
        raise OSError("it does not answer as a queue does")
