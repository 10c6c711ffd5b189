"""What git says of a repository's hooks: the one place here that runs git."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from limbeck.install.errors import HooksDisabled, NotARepository
from schema.errors import LimbeckError

_SECONDS = 20


@dataclass(frozen=True, slots=True)
class LiveHooks:
    """The folder whose hooks git runs for ``top``. ``configured`` is core.hooksPath where set, ``shared``
    says that it comes from outside the repository, ``sourced`` that husky runs the files with ``sh -e``,
    ``tracked`` that the folder lies in the work tree."""

    top: Path
    folder: Path
    configured: str = ""
    shared: bool = False
    sourced: bool = False
    tracked: bool = False


def _git(project: Path, *arguments: str) -> str:
    """Run git for ``project``, whatever repository the environment points at; "" where it answers with an
    error."""
    local = subprocess.run(
        ["git", "rev-parse", "--local-env-vars"],
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    names = set(local.stdout.split())
    environment = {key: value for key, value in os.environ.items() if key not in names}
    done = subprocess.run(
        ["git", "-C", str(project), *arguments],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=_SECONDS,
        check=False,
        env=environment,
    )
    return done.stdout.rstrip("\r\n") if done.returncode == 0 else ""


def would_be_committed(path: Path) -> bool:
    """Whether ``path`` lies in a work tree that does not ignore it."""
    folder = path.parent
    try:
        inside = _git(folder, "rev-parse", "--is-inside-work-tree") == "true"
        return inside and not _git(folder, "check-ignore", str(path))
    except (OSError, subprocess.SubprocessError):
        return False


def live_hooks(project: Path) -> LiveHooks:
    """Ask git where the hooks of ``project`` live. Raises ``NotARepository`` and ``HooksDisabled``."""
    try:
        top = _git(project, "rev-parse", "--show-toplevel")
    except (OSError, subprocess.SubprocessError) as error:
        raise NotARepository(path=project, why=f"git cannot be run ({error})") from None
    if not top:
        raise NotARepository(path=project, why="git knows no work tree there")
    work = Path(top)
    scope, _, configured = _git(work, "config", "--show-scope", "--get", "core.hooksPath").partition("\t")
    folder = work / _git(work, "rev-parse", "--git-path", "hooks")
    if configured and folder.exists() and not folder.is_dir():
        raise HooksDisabled(path=work, value=configured)
    folder = Path(os.path.normpath(folder))
    sourced = folder.name == "_" and (folder / "h").is_file()
    if sourced:
        folder = folder.parent
    inside = folder.is_relative_to(work) and not folder.is_relative_to(work / ".git")
    return LiveHooks(work, folder, configured, scope in ("global", "system"), sourced, inside)


def repository_of(hooks: Path) -> Path | None:
    """Return the top of the repository whose live hooks folder is ``hooks``; None where it serves no single one."""
    for candidate in dict.fromkeys((hooks, hooks.parent, hooks.parent.parent)):
        try:
            live = live_hooks(candidate)
        except LimbeckError:
            continue
        if live.folder.resolve() == hooks.resolve():
            return None if live.shared else live.top
    return None
