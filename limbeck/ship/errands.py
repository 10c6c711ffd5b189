"""Errands: what a hook could not know in its milliseconds, kept as one small file each until it is done."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from capture.config import HookConfig
from capture.envelope import MOST_BYTES, encode
from capture.jsonio import parse
from capture.regular import read_regular
from capture.spool import ASIDE, REFUSED, count
from limbeck.ship import commits, rollouts
from limbeck.ship.errors import QueueUnavailable, RepositoryGone
from limbeck.ship.sender import Sender

COMMIT, ROLLOUT, SYMBOLS = "commit", "rollout", "symbols"
NEEDS = (COMMIT, ROLLOUT)
FOLDER = "errands"
# What can be done at leisure lies apart: it is derived from a commit that was sent, and no captured event.
LATER = "later"
# An agent writes its rollout a moment after it ran our hook.
ROLLOUT_AFTER_MS = 1500

MOST_ASIDE = 1000

Envelope = dict[str, object]

log = logging.getLogger("limbeck.ship")


def without_need(envelope: Envelope) -> Envelope:
    """Return the envelope as it leaves this machine."""
    return {key: value for key, value in envelope.items() if key not in ("needs", "transcript")}


def put_by(spool: Path, envelope: Envelope, where: str = FOLDER) -> None:
    """Write an errand down, its id checked before; writing the same one twice is once."""
    folder = spool / where
    folder.mkdir(mode=0o700, exist_ok=True)
    name = str(envelope["id"])
    draft = folder / f".{name}.{os.getpid()}"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(encode(envelope))
    draft.replace(folder / f"{name}.json")


def waiting(spool: Path, where: str = FOLDER) -> list[Path]:
    """The errands that wait, oldest first (an id begins with its time)."""
    return sorted((spool / where).glob("*.json"))


def attempt(path: Path, config: HookConfig, sender: Sender, clock: Callable[[], float] = time.time) -> bool:
    """Do one errand as ``run`` does; whatever goes wrong with it sets it aside, so that it holds up no other.

    Raises QueueUnavailable, which is nothing wrong with the errand.
    """
    try:
        return run(path, config, sender, clock)
    except QueueUnavailable:
        raise
    except Exception as error:
        log.warning("the errand %s is set aside: %s", path.name, type(error).__name__)
        set_aside(path)
        return False


def set_aside(path: Path) -> None:
    """Move an errand to where it waits for a person; above the limit it is only counted."""
    spool = path.parent.parent
    folder = spool / ASIDE
    folder.mkdir(mode=0o700, exist_ok=True)
    if len(list(folder.iterdir())) < MOST_ASIDE:
        path.replace(folder / path.name)
    else:
        count(str(spool), REFUSED)
        path.unlink(missing_ok=True)


def run(path: Path, config: HookConfig, sender: Sender, clock: Callable[[], float] = time.time) -> bool:
    """Do one errand, send what came of it and remove it; False where it is too early.

    Raises QueueUnavailable with the errand kept. What cannot be completed is sent as it was captured.
    """
    envelope = read(path)
    if envelope.get("needs") == ROLLOUT:
        at = envelope.get("at")
        if isinstance(at, int) and clock() * 1000 < at + ROLLOUT_AFTER_MS:
            return False
        found = _outcomes(envelope, config)
    else:
        found = [_commit(envelope, config)]
    if found:
        sender.send([encode(one) for one in found])
    if later := symbols_of(found[0], envelope) if found else None:
        put_by(path.parent.parent, {**later, "needs": SYMBOLS}, LATER)
    path.unlink(missing_ok=True)
    return True


def read(path: Path) -> Envelope:
    """Return the errand at ``path``. Raises OSError or ValueError where it is none."""
    value = parse(read_regular(path, MOST_BYTES).decode("utf-8"))
    if not isinstance(value, dict):
        raise ValueError("it is not a JSON object")
    return value


def _commit(envelope: Envelope, config: HookConfig) -> Envelope:
    bare = without_need(envelope)
    try:
        return commits.complete(bare, config.policy)
    except RepositoryGone:
        return bare
    except Exception as error:  # what is odd about a repository must not cost the commit itself
        log.warning("the commit of %s is sent as it was captured: %s", bare.get("id"), type(error).__name__)
        return bare


def _outcomes(envelope: Envelope, config: HookConfig) -> list[Envelope]:
    """The envelopes that a rollout adds to a turn's or session's end."""
    path, turn = envelope.get("transcript"), envelope.get("turn")
    if not isinstance(path, str):
        return []
    told = rollouts.read(Path(path), turn if isinstance(turn, str) else None)
    base = {key: envelope[key] for key in _SHARED if key in envelope}
    made: list[Envelope] = []
    for start in range(0, len(told.outcomes), rollouts.MOST_CALLS):
        calls = told.outcomes[start : start + rollouts.MOST_CALLS]
        ident = derived(str(envelope.get("id")), f"outcomes{start}")
        made.append({**base, "id": ident, "kind": "outcomes", "event": "rollout", "body": {"calls": calls}})
    for call in told.unreported:
        if extra := rollouts.envelope(call, base, config, derived(str(envelope.get("id")), call.call)):
            made.append(extra)
    return made


def symbols_of(commit: Envelope, errand: Envelope) -> Envelope | None:
    """Return the event that is to tell what a completed ``commit`` did to symbols; None of any other envelope.

    ``errand`` is the commit as it was captured: it knows where a merge began.
    """
    body, captured = commit.get("body"), errand.get("body")
    if commit.get("kind") != COMMIT or not isinstance(body, dict) or not body.get("enriched"):
        return None
    told = {"sha": body.get("sha")}
    if isinstance(captured, dict) and captured.get("base"):
        told["base"] = captured["base"]
    shared = {key: commit[key] for key in _SHARED if key in commit}
    ident = derived(str(commit.get("id")), SYMBOLS)
    return {**shared, "id": ident, "kind": SYMBOLS, "event": COMMIT, "body": told}


_SHARED = ("v", "at", "agent", "origin", "hv", "session", "turn", "subagent", "cwd", "project")


def derived(ident: str, name: str) -> str:
    """Return an id that is the same whenever the errand of ``ident`` is run again."""
    digits = sha256(f"{ident}/{name}".encode()).hexdigest()
    stamp = ident.replace("-", "")[:12]
    whole = f"{stamp}7{digits[:3]}8{digits[3:18]}"
    return f"{whole[:8]}-{whole[8:12]}-{whole[12:16]}-{whole[16:20]}-{whole[20:]}"
