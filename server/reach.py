"""From who asks to what may be read, and under which name something is done."""

from __future__ import annotations

from sqlalchemy import Connection

from schema import projects
from schema.errors import NotFound
from schema.scope import Scope
from schema.sessions import named
from server.errors import Missing, NotAllowed, NotNow
from server.operation import Call


def within(call: Call, connection: Connection, project: str | None = None) -> Scope:
    """The wall around a read: the project named, else all the principal may see. Raises Missing."""
    who = call.principal
    return Scope(who.client, call.projects(connection, project), who.user)


def reached(call: Call, project: str | None = None) -> Scope:
    """The same wall for what opens transactions of its own: one is opened here only to look a name up."""
    if project is None:
        return Scope(call.principal.client, call.principal.projects, call.principal.user)
    with call.tenant() as connection:
        return within(call, connection, project)


def one_project(call: Call, connection: Connection, project: str | None) -> str:
    """The project named, else the only one in reach. Raises Missing, and NotNow where there are several."""
    if project is not None:
        return call.project(connection, project)
    found = projects.reached(connection, within(call, connection), limit=2)
    if len(found) != 1:
        many = "you can see several" if found else "there is none yet"
        raise NotNow(what="project", why=f"{many}; name one")
    return found[0]


def session_of(connection: Connection, scope: Scope, name: str, *, whole: bool = False) -> str:
    """Our id of a session in reach, by ours or the agent's own or unless ``whole`` by its beginning.

    Raises Missing and ManyMeant.
    """
    try:
        return named(connection, scope, name, whole=whole)
    except NotFound:
        raise Missing(what="session", name=name) from None


def everywhere(call: Call, what: str) -> None:
    """Refuse where the principal is held to some projects: ``what`` is of the whole client. Raises NotAllowed."""
    if call.principal.projects is not None:
        raise NotAllowed(why=f"it is held to some projects, and {what} is of all of them")


def actor(call: Call) -> str:
    """Who does it, as it is kept in the history."""
    who = call.principal
    return f"{who.user} ({who.agent})" if who.agent else who.user
