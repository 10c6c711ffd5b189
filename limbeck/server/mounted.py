"""The command that an agent starts for MCP over standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

MODULE = "limbeck.server.stdio"
ROOT = Path(__file__).resolve().parents[2]
# Ours is looked for last: nothing beside it may stand in for the standard library.
_RUN = (
    f"import sys; sys.path.append(sys.argv.pop(1)); from {MODULE} import main; sys.exit(main(sys.argv[1:]))"
)


def command(home: Path, url: str | None = None) -> list[str]:
    """Return the words that serve an agent from ``home``'s server, or from the one at ``url`` with LIMBECK_TOKEN."""
    words = [sys.executable, "-I", "-S", "-c", _RUN, str(ROOT), "--home", str(home)]
    return words if url is None else [*words, "--url", url]
