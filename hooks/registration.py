"""What an agent must be told so that it runs our hook: data beside each adapter, read when installing.

Every folder ``hooks/<agent>`` has a ``registration`` module with one ``REGISTRATION``, which installing
finds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Shape(Enum):
    """How an agent's file lists handlers under an event."""

    GROUPS = "groups"
    FLAT = "flat"


class WindowsForm(Enum):
    """How the command is written where the agent runs on Windows."""

    ARGUMENTS = "args"
    OVERRIDE = "commandWindows"
    POWERSHELL = "command"


@dataclass(frozen=True, slots=True)
class Mount:
    """Where an agent lists its MCP servers: files as in a registration, and the ``keys`` that lead to the list.

    ``beside`` says that the user's file lies beside the agent's folder, unless the folder was moved. Without a
    ``project_file`` the user's file lists a project's own servers too, under ``projects`` and the project's path.
    """

    user_file: str
    project_file: str = ""
    keys: tuple[str, ...] = ("mcpServers",)
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Skills:
    """Where an agent reads skills, each a folder with a ``SKILL.md``: below its own folder, and in a project.

    ``commands`` is a folder beside them whose ``NAME.md`` a skill of that name would hide.
    """

    project_folder: str
    user_folder: str = "skills"
    commands: str = ""


@dataclass(frozen=True, slots=True)
class Registration:
    """Where an agent keeps its hooks and which events we ask for.

    ``timeouts`` maps the agent's own event names to the time limit in the agent's own unit. ``folder`` is
    the agent's folder below the home, moved by ``folder_variable`` where the agent reads one.
    ``project_file`` is relative to a project. ``also_read`` are further files of a project that the agent
    reads hooks from; ``toml_file`` one beside the hooks file that may declare hooks in its stead. ``root``
    are members the file must have, ``keys`` the only ones it may have (None: any). ``extra`` goes into
    every handler. ``mount`` tells where the agent lists MCP servers, ``skills`` where it reads skills. ``note``
    is what a person must still do.
    """

    agent: str
    title: str
    folder: str
    user_file: str
    project_file: str
    timeouts: dict[str, int]
    windows: WindowsForm
    folder_variable: str = ""
    also_read: tuple[str, ...] = ()
    toml_file: str = ""
    shape: Shape = Shape.GROUPS
    comments: bool = False
    root: dict[str, object] = field(default_factory=dict)
    keys: frozenset[str] | None = None
    extra: dict[str, object] = field(default_factory=dict)
    mount: Mount | None = None
    skills: Skills | None = None
    note: str = ""
