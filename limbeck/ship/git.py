"""git, asked for facts only: no prompt, no lock, no fetch, no program that a repository's settings name."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from limbeck.ship.errors import RepositoryGone

SECONDS = 20.0
MOST_BYTES = 16 * 1024 * 1024
QUIET = ("--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false",
         "-c", "log.showSignature=false")  # fmt: skip


class Repository:
    """One git directory (the common one of all its worktrees)."""

    def __init__(self, common: Path) -> None:
        """``common`` holds the objects; it is not looked at yet."""
        self._common = common

    def ask(self, *arguments: str, stdin: bytes | None = None) -> bytes:
        """Return what git prints; RepositoryGone where it fails, is too slow or says too much."""
        command = ["git", f"--git-dir={self._common}", *QUIET, *arguments]
        try:
            done = subprocess.run(
                command,
                input=stdin or b"",
                capture_output=True,
                timeout=SECONDS,
                env=_environment(),
                check=True,
            )
        except subprocess.CalledProcessError as error:
            why = error.stderr.decode("utf-8", "replace").strip()[:200]
            raise RepositoryGone(sha=arguments[-1], where=self._common, why=why or "git failed") from error
        except (OSError, subprocess.SubprocessError) as error:
            raise RepositoryGone(sha=arguments[-1], where=self._common, why=type(error).__name__) from error
        if len(done.stdout) > MOST_BYTES:
            raise RepositoryGone(sha=arguments[-1], where=self._common, why="its answer is too long")
        return done.stdout

    def text(self, *arguments: str) -> str:
        """Return what git prints as text, without the line end."""
        return self.ask(*arguments).decode("utf-8", "replace").rstrip("\n")


def _environment() -> dict[str, str]:
    """The surroundings without anything that points git elsewhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C", "LIMBECK_SKIP": "1"}
