"""Where this home's server listens, as it says itself in ``run/server.json`` while it runs. Standard library alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

NAME = "server.json"


def write(run: Path, url: str) -> None:
    """Say where the server listens; a reader sees the old or the new address, never half."""
    partial = run / f".{NAME}.{os.getpid()}"
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({"url": url, "pid": os.getpid()}, file)
    partial.replace(run / NAME)


def told(run: Path) -> tuple[str, int] | None:
    """Return the address and the process that said it, or None where no server has said one."""
    try:
        value = json.loads((run / NAME).read_text("utf-8"))
        return str(value["url"]), int(value["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def own(url: str) -> tuple[str, int]:
    """Return what is told where this process listens at ``url``."""
    return url, os.getpid()


def read(run: Path) -> str | None:
    """Return the address, or None where no server has said one."""
    found = told(run)
    return found[0] if found else None


def forget(run: Path) -> None:
    """Say that no server listens."""
    (run / NAME).unlink(missing_ok=True)


def url_of(host: str, port: int) -> str:
    """Return the address to ask at for a server that listens on ``host``; on every interface means this machine."""
    reached = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - it is asked, not bound
    return (
        f"http://[{reached}]:{port}"
        if ":" in reached and not reached.startswith("[")
        else f"http://{reached}:{port}"
    )
