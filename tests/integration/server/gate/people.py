"""Who tries what: the people of the access matrix, and an operation asked for over each rendering."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.testclient import TestClient

from server.body import body_of
from server.errors import ServerError
from server.operation import Operation
from server.perform import Performer
from server.principal import Principal
from server.rest.given import BODILESS
from server.rest.openapi import names_in, plain

from .conftest import bearer, rpc


@dataclass(frozen=True)
class Answer:
    """What one got: the code of the refusal (None: it was allowed), and everything that was said."""

    refused: str | None
    body: Any
    said: str


def over_rest(
    client: TestClient, token: str | None, operation: Operation[Any, Any], given: Mapping[str, Any]
) -> Answer:
    names = {name: given[name] for name in names_in(operation.path)}
    path = plain(operation.path).format(**names)
    fields = operation.input.model_fields
    aliases = {name: field.alias or name for name, field in fields.items()}
    rest = {aliases.get(name, name): value for name, value in given.items() if name not in names}
    how = {"params": rest} if operation.method in BODILESS else {"json": rest}
    headers = {} if token is None else bearer(token)
    answer = client.request(operation.method, path, headers=headers, **how)
    body = answer.json() if answer.content else {}
    return Answer(None if answer.is_success else body["error"], body, answer.text + str(answer.headers))


def over_mcp(
    client: TestClient, token: str | None, operation: Operation[Any, Any], given: Mapping[str, Any]
) -> Answer:
    if token is None:
        answer = client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        return Answer(answer.json()["error"], answer.json(), answer.text)
    if operation.tool:
        call = {"name": operation.name, "arguments": dict(given)}
    else:
        kind = "query" if operation.method in BODILESS else "body"
        call = {
            "name": "execute_capability",
            "arguments": {"name": operation.operation_id, kind: dict(given)},
        }
    reply = rpc(client, token, "tools/call", call)
    result = reply["result"]
    body = result["structuredContent"]
    return Answer(body["error"] if result["isError"] else None, body, str(reply))


def by_call(
    performer: Performer, principal: Principal
) -> Callable[[Operation[Any, Any], Mapping[str, Any]], Answer]:
    def ask(operation: Operation[Any, Any], given: Mapping[str, Any]) -> Answer:
        try:
            body = performer.perform(principal, operation, given, "call").model_dump(
                mode="json", by_alias=True
            )
        except ServerError as error:
            return Answer(error.code, body_of(error, operation), str(error) + str(body_of(error, operation)))
        return Answer(None, body, str(body))

    return ask
