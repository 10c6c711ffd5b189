"""Which scope an agent may name: read from what it asks for and from its credential, which decides."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sqlalchemy import Connection

from schema.projects import called
from server.errors import InvalidInput, NotAllowed
from server.operation import Call
from server.principal import Right

GLOBAL = "global"
SHAPES = "it must be `global`, `agent:ID` with your own agent's id, or `project:NAME`"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is remembered.

    ``owner`` is the user whose it is, '' in a project's scope, which everybody who may see the project shares.
    ``scope`` is what it is kept under, ``called`` the project's name.
    """

    client: str
    owner: str
    scope: str
    project: str | None = None
    called: str = ""

    @property
    def shown(self) -> str:
        """The scope as a person would write it: a project by its name."""
        return f"project:{self.called}" if self.called else self.scope

    def digest(self, key: str) -> bytes:
        """Of a key: what is left of it when it is forgotten."""
        parts = "\0".join((self.client, self.owner, self.scope, key))
        return hashlib.sha256(parts.encode()).digest()


def shaped(scope: str) -> str:
    """Return ``scope`` where it has one of the shapes. Raises ValueError."""
    kind, _, name = scope.partition(":")
    if scope != GLOBAL and not (kind in ("agent", "project") and name.strip()):
        raise ValueError(f"There is no scope `{scope}`: {SHAPES}")
    return scope


def resolved(call: Call, connection: Connection, scope: str) -> Place:
    """Return the place that ``scope`` means for whoever calls.

    Raises InvalidInput for a shape there is none of, NotAllowed for another agent's scope, Missing for a project that
    does not exist or lies beyond the credential.
    """
    who = call.principal
    kind, _, name = scope.partition(":")
    name = name.strip()
    if scope == GLOBAL:
        return Place(who.client, who.user, GLOBAL)
    if kind == "agent" and name:
        owner_of_all = who.agent is None and who.right is Right.ADMIN
        if name != who.agent and not owner_of_all:
            raise NotAllowed(why=f"the scope `{scope}` belongs to another agent; yours is {_own(who.agent)}")
        return Place(who.client, who.user, f"agent:{name}")
    if kind == "project" and name:
        project = call.project(connection, name)
        return Place(who.client, "", f"project:{project}", project, called(connection, who.client, project))
    raise InvalidInput([("scope", f"There is no scope `{scope}`: {SHAPES}.")])


def _own(agent: str | None) -> str:
    return "none: your token names no agent" if agent is None else f"`agent:{agent}`"
