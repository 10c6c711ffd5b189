"""An operation: one thing the server can do, declared once and rendered as REST route, MCP tool and command.

A module of ``server.operations`` declares some and lists them in its ``OPERATIONS``. The input model is the whole
contract: its bounds, words and descriptions are what every rendering shows and enforces. The principal reaches
``run`` through the call and never through the input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from sqlalchemy import Connection

from schema.database import Database
from schema.errors import NotFound
from schema.projects import named
from server.errors import Missing
from server.principal import Principal, Right

if TYPE_CHECKING:
    from recall.embedding.embedder import Embedder


In = TypeVar("In", bound="Input")
Out = TypeVar("Out", bound=BaseModel)


class Input(BaseModel):
    """The base of every input: unknown names are refused (a mistyped one would widen what is asked), texts are trimmed.

    ``plain`` says that no value may hold what cannot be stored; one that looks after that itself sets it to False.
    """

    plain: ClassVar[bool] = True

    model_config = ConfigDict(
        extra="forbid", str_strip_whitespace=True, alias_generator=to_camel, populate_by_name=True
    )


class Output(BaseModel):
    """The base of every output: camelCase keys, times in ISO 8601."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, from_attributes=True)

    def told(self) -> str | None:
        """The answer as text for an agent, stored words inside a fence; None where its JSON says it well enough.

        What has a text inside a fence of its own (``fenced``) is told by it.
        """
        return getattr(self, "fenced", None) or None


class Nothing(Output):
    """No content."""


@dataclass(frozen=True, slots=True)
class Call:
    """One use of an operation: who asks, where the data is, what time it is.

    ``options`` are the values of settings that operations need, by the setting's name.
    """

    principal: Principal
    database: Database
    now: datetime
    embedder: Callable[[], Embedder | None]
    options: Mapping[str, Any] = field(default_factory=dict)

    @contextmanager
    def tenant(self) -> Iterator[Connection]:
        """A transaction that sees the principal's client's rows, and of personal rows only the principal's own."""
        with self.database.tenant(self.principal.client, self.principal.user) as connection:
            yield connection

    def project(self, connection: Connection, name: str) -> str:
        """The id of the project called ``name`` (name, remote or id). Raises Missing, also beyond the principal's."""
        try:
            return named(connection, self.principal.client, name, self.principal.projects)
        except NotFound:
            raise Missing(what="project", name=name) from None

    def projects(self, connection: Connection, name: str | None) -> tuple[str, ...] | None:
        """The projects a request is about: the one named, else all the principal may see (None: every one)."""
        return self.principal.projects if name is None else (self.project(connection, name),)


@dataclass(frozen=True, slots=True)
class Operation(Generic[In, Out]):
    """One declaration.

    ``name`` is the MCP tool's and the command's name; ``rest_name`` the OpenAPI operationId where it differs.
    ``path`` may hold ``{field}`` names of the input; of the others, GET and DELETE take theirs from the query, the
    rest from a JSON body. ``status`` is what success answers over REST (204 sends no body). ``tool`` is False for what
    no agent should see as a tool of its own, ``by_hand`` True for what no agent may do at all: MCP neither finds nor
    runs it. ``missing`` is the error code of its 404. ``removes`` says that it takes something away for good, as every
    DELETE does. Whatever does more than read leaves a line in the audit log, without
    content, unless ``audited`` is False: of what machines send without end, the ledger and the queue tell already.
    """

    name: str
    purpose: str
    input: type[In]
    output: type[Out]
    right: Right
    method: str
    path: str
    run: Callable[[Call, In], Out]
    tag: str
    status: int = 200
    rest_name: str | None = None
    tool: bool = True
    missing: str = "not_found"
    removes: bool = False
    audited: bool = True
    by_hand: bool = False

    @property
    def reads(self) -> bool:
        """Whether it changes nothing that anybody said or decided.

        It may count its own use, and keep what it made to be given again (how often a memory was shown, a brief).
        """
        return self.right is Right.READ or self.method == "GET"

    @property
    def destroys(self) -> bool:
        """Whether a person may want to be asked first."""
        return self.removes or self.method == "DELETE"

    @property
    def operation_id(self) -> str:
        """The OpenAPI operationId, also the capability's name."""
        return self.rest_name or to_camel(self.name)
