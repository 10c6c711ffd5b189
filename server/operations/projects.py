"""What a person decides of a project as a whole."""

from __future__ import annotations

from pydantic import Field

from schema.projects import known_by, rename
from server.errors import BadInput
from server.operation import Call, Input, Operation, Output
from server.principal import Right
from server.reach import within


class RenameInput(Input):
    """Which project, and its new name."""

    id: str = Field(min_length=1, max_length=300, description="Its name, remote or id.")
    name: str = Field(min_length=1, max_length=100, description="What people call it.")


class Renamed(Output):
    """The project as it is called now."""

    project_id: str
    name: str


def rename_project(call: Call, given: RenameInput) -> Renamed:
    """Call it by another name; what it is known by to hooks stays. Raises Missing and BadInput."""
    from capture.net import second_net  # a tenth of a second, which no reading of projects needs

    name = " ".join(given.name.split())
    if not name.isprintable():
        raise BadInput(what="name", why="it holds characters that do not show")
    if second_net(name)[1]:
        raise BadInput(what="name", why="it looks like a secret; it would be kept and shown as it is")
    with call.tenant() as connection:
        project = call.project(connection, given.id)
        if known_by(connection, within(call, connection), name) not in (None, project):
            raise BadInput(what="name", why="another project is known by it, as its remote or its id")
        rename(connection, call.principal.client, project, name)
    return Renamed(project_id=project, name=name)


OPERATIONS = (
    Operation(
        name="rename_project",
        purpose="Call a project by another name; hooks go on knowing it by its remote or folder.",
        input=RenameInput,
        output=Renamed,
        right=Right.ADMIN,
        method="PATCH",
        path="/v1/projects/{id}",
        run=rename_project,
        tag="History",
        tool=False,
        by_hand=True,
    ),
)
