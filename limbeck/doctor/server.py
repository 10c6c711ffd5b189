"""Whether agents reach the server: it answers, and it takes the owner's token."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

from limbeck.doctor.finding import Finding, broken, ok, warning
from limbeck.server import address, owner
from limbeck.server.alive import trouble
from limbeck.server.connections import Connections, Unreachable
from limbeck.server.stdio import MCP

CHECK = "server"
_LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def reached(home: Path, run: Path, wanted: bool) -> list[Finding]:
    """Ask the server of ``home`` as an agent would; ``wanted`` says whether the settings want one."""
    if not wanted:
        return [ok(CHECK, "it is switched off by LIMBECK_SERVER")]
    url = address.read(run)
    if url is None:
        return [
            broken(
                CHECK,
                "it does not run, so agents have no tools",
                "Run `limbeck up`; `limbeck status` says why.",
            )
        ]
    if why := trouble(url):
        return [
            broken(CHECK, f"it does not answer at {url}: {why}", "Run `limbeck down`, then `limbeck up`.")
        ]
    return [_as_agent(home, url), *_private(home)]


def _as_agent(home: Path, url: str) -> Finding:
    token = owner.read(home)
    if token is None:
        return broken(
            CHECK, f"there is no token in {home / owner.TOKEN}", "Run `limbeck down`, then `limbeck up`."
        )
    try:
        status, body = Connections(url, token, MCP).post(json.dumps(_LIST).encode(), again=True)
        tools = len(json.loads(body)["result"]["tools"]) if status == 200 else 0
    except (Unreachable, ValueError, KeyError, TypeError) as error:
        return broken(CHECK, f"an agent would not be answered: {error}", "See the server's log in the home.")
    if status != 200:
        return broken(
            CHECK, f"it refuses the owner's token ({status})", "Run `limbeck down`, then `limbeck up`."
        )
    return ok(CHECK, f"it answers at {url} and offers {tools} tools")


def _private(home: Path) -> list[Finding]:
    mode = stat.S_IMODE((home / owner.TOKEN).stat().st_mode)
    if sys.platform == "win32" or not mode & 0o077:
        return []
    return [warning(CHECK, f"others may read {home / owner.TOKEN}", f"chmod 600 {home / owner.TOKEN}")]
