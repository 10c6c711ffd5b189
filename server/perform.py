"""The one place where an operation is run, whichever rendering asked: right, limit, input, run, audit.

What goes wrong comes out as a ServerError, whose words every rendering shows as they are.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import DataError

from schema.database import Database
from schema.errors import (
    DatabaseConflict,
    DatabaseRefused,
    DatabaseUnavailable,
    LimbeckError,
    NotFound,
)
from schema.failures import places
from server import audit, unknown, values
from server.errors import (
    Broken,
    InvalidInput,
    Missing,
    NotAllowed,
    RefusedInput,
    ServerError,
    Stale,
    Unavailable,
)
from server.limit import RateLimit
from server.operation import Call, Operation
from server.principal import Principal

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from recall.embedding.embedder import Embedder

log = logging.getLogger("limbeck.server")
M = TypeVar("M", bound=BaseModel)


def clock() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Performer:
    """What operations run with: the database, the source of vectors, values of settings, the clock, the limit.

    ``after`` holds who is told, with the result, that the operation of a name was done, whichever rendering asked.
    """

    database: Database
    embedder: Callable[[], Embedder | None]
    options: Mapping[str, Any] = field(default_factory=dict)
    clock: Callable[[], datetime] = clock
    limit: RateLimit = field(default_factory=lambda: RateLimit(0))
    after: dict[str, Callable[[Principal, Any], None]] = field(default_factory=dict)

    def perform(
        self, principal: Principal, operation: Operation[Any, Any], given: Mapping[str, Any], via: str
    ) -> BaseModel:
        """Run ``operation`` for ``principal`` with the values ``given``; ``via`` names the rendering.

        Raises ServerErrors alone.
        """
        self.limit.count(principal)  # first of all: what is above the limit costs nothing more
        outcome, result = "done", None
        try:
            result = self._run(principal, operation, given)
            if operation.name in self.after:
                self.after[operation.name](principal, result)
            return result
        except ServerError as error:
            outcome = error.code
            raise
        finally:
            if operation.audited and not operation.reads:
                audit.note(
                    self.database,
                    principal,
                    operation.name,
                    via=via,
                    at=self.clock(),
                    ids=audit.ids_in(operation.input, given, result),
                    outcome=outcome,
                )

    def _run(
        self, principal: Principal, operation: Operation[Any, Any], given: Mapping[str, Any]
    ) -> BaseModel:
        if not principal.right.covers(operation.right):
            raise NotAllowed(why=f"{operation.name} needs the right to {operation.right}")
        wanted = validated(operation.input, given)
        call = Call(principal, self.database, self.clock(), self.embedder, self.options)
        try:
            result: BaseModel = operation.run(call, wanted)
        except Exception as error:
            raise explained(error, operation.name) from error
        return result


def validated(model: type[M], given: Mapping[str, Any]) -> M:
    """Return ``given`` as ``model``. Raises InvalidInput, which tells what is wrong: values, and names it has not."""
    if getattr(model, "plain", True):
        values.check(given)
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        told = found[: values.MOST_WRONG]
        raise InvalidInput(
            [(".".join(map(unknown.shown, one["loc"])), _told(model, one)) for one in told]
        ) from None


def _told(model: type[BaseModel], wrong: ErrorDetails) -> str:
    if wrong["type"] == "extra_forbidden":
        return unknown.sentence(model, wrong["loc"])
    return _sentence(wrong["msg"])


def explained(error: Exception, where: str) -> ServerError:
    """Return what to tell whoever asked; what nobody foresaw goes to the log."""
    if isinstance(error, ServerError):
        return error
    if isinstance(error, NotFound):
        return Missing(**error.fields)
    if isinstance(error, DatabaseUnavailable):
        return Unavailable()
    if isinstance(error, DatabaseConflict):
        return Stale(why="two writers met; run it again")
    if isinstance(error, DatabaseRefused | DataError):
        return InvalidInput([("", "The database cannot hold one of the values.")])
    if isinstance(error, LimbeckError):
        return (InvalidInput if error.usage else RefusedInput)([("", str(error))])
    reference = uuid4().hex[:12]
    log.error("%s %s: %s", reference, where, places(error))
    return Broken(reference=reference)


def _sentence(message: str) -> str:
    text = message.removeprefix("Value error, ")
    return text if text.endswith(".") else f"{text}."
