"""The pair that reaches operations by their names: look for one, then use it.

An agent whose list of tools is kept short finds here what it has no tool for. What is left to a person (``by_hand``) it
neither finds nor runs: a text that an agent read may have told it to make a token, or to forget everything. What is
executed passes the same gate, the same bounds and the same log as a tool or a route of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from server.errors import InvalidInput, Missing, NotAllowed
from server.operation import Input, Operation, Output
from server.principal import Principal
from server.rest.given import BODILESS
from server.rest.openapi import summary

SEARCH = "search_capabilities"
EXECUTE = "execute_capability"


class SearchInput(Input):
    """What one wants to do."""

    query: str = Field(
        "", max_length=200, description="Words for what you want to do; empty lists everything."
    )
    limit: int = Field(10, ge=1, le=100, description="At most so many.")


class Capability(Output):
    """One thing that can be executed."""

    name: str
    purpose: str
    takes: str = Field(description="Which of `body` and `query` its values come in.")
    right: str
    values: dict[str, Any] = Field(description="JSON schema of the values.")


class Capabilities(Output):
    """What was found, best first."""

    capabilities: list[Capability]

    def told(self) -> str:
        """The same data: it says nothing that was stored."""
        return self.model_dump_json(by_alias=True)


class ExecuteInput(Input):
    """Which capability, with which values."""

    name: str = Field(min_length=1, max_length=100, description="A name that search_capabilities gave.")
    body: dict[str, Any] | None = Field(None, description="The values, where the capability takes a body.")
    query: dict[str, Any] | None = Field(None, description="The values, where the capability takes a query.")


def search(
    operations: Sequence[Operation[Any, Any]], principal: Principal, wanted: SearchInput
) -> Capabilities:
    """Return what ``principal`` may execute that has the most words of the query in its name, purpose and subject."""
    words = set(_words(wanted.query))
    allowed = [one for one in operations if principal.right.covers(one.right) and not one.by_hand]
    scored = [
        (len(words & set(_words(f"{one.name} {one.operation_id} {one.tag} {one.purpose}"))), one)
        for one in allowed
    ]
    found = sorted(((score, one) for score, one in scored if score or not words), key=lambda pair: -pair[0])
    return Capabilities(capabilities=[_capability(one) for _, one in found[: wanted.limit]])


def chosen(
    operations: Sequence[Operation[Any, Any]], wanted: ExecuteInput
) -> tuple[Operation[Any, Any], dict[str, Any]]:
    """Return the operation meant and the values for it. Raises Missing, NotAllowed and InvalidInput."""
    found = [one for one in operations if wanted.name in (one.operation_id, one.name)]
    if not found:
        raise Missing(what="capability", name=wanted.name)
    if found[0].by_hand:
        raise NotAllowed(
            why=f"{wanted.name} is left to a person, in the viewer or with the `limbeck` command"
        )
    if wanted.body is not None and wanted.query is not None:
        raise InvalidInput([("query", "Give body or query, not both.")])
    return found[0], dict(wanted.body or wanted.query or {})


def _capability(operation: Operation[Any, Any]) -> Capability:
    return Capability(
        name=operation.operation_id,
        purpose=summary(operation),
        takes="query" if operation.method in BODILESS else "body",
        right=str(operation.right),
        values=operation.input.model_json_schema(by_alias=True),
    )


def _words(text: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return [word[:-1] if word.endswith("s") else word for word in re.findall(r"[a-z0-9]+", spaced.lower())]
