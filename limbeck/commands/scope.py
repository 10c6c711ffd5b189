"""The arguments that `install`, `uninstall` and `doctor` share: which agents, and for whom."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from limbeck.install.places import Scope, registrations

OTHERS = ("git", "ship")


def agents_of(
    names: list[str] | None, user: bool, project: Path | None, plugin_folder: Path | None
) -> list[str]:
    """Return the agents asked for, once each. A wrong combination is a usage error (exit code 2)."""
    if user and project is not None:
        raise typer.BadParameter("--user and --project exclude each other")
    if not names and plugin_folder is None:
        raise typer.BadParameter(f"name at least one of {', '.join(known())}, or --plugin DIR")
    for name in names or ():
        if name not in known():
            raise typer.BadParameter(
                f"there is no agent named {name!r}; the known ones are {', '.join(known())}"
            )
    return list(dict.fromkeys(names or ()))


def known() -> list[str]:
    """Every name `install` takes."""
    return [*sorted(registrations()), *OTHERS]


def scope_of(project: Path | None) -> Scope:
    """Return the scope for the person who runs this, or for one project of theirs."""
    return Scope(Path.home(), os.environ, project.absolute() if project is not None else None)
