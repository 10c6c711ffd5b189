"""``limbeck call``: any operation of the server, from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limbeck.commands.options import AsJson
from limbeck.context import print_json
from limbeck.steps import steps

if TYPE_CHECKING:
    from server.operation import Operation


def call(
    operation: Annotated[str | None, typer.Argument(help="Its name, as --list shows it.")] = None,
    values: Annotated[list[str] | None, typer.Argument(help="Its values as KEY=VALUE.")] = None,
    body: Annotated[
        str | None, typer.Option("--body", metavar="JSON", help="Its values as one JSON object.")
    ] = None,
    show: Annotated[
        bool, typer.Option("--list", help="Show every operation, or the values one takes.")
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="With --list: as the table of the manual.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Run an operation as this machine's owner, and print what it came to as JSON.

    It is the same declaration that REST and MCP answer from: the same names, limits and errors. A value that is JSON
    (a number, a list) is read as JSON, anything else as text.
    """
    from server.operations import ALL

    if markdown:
        from server.rest.table import table

        print(table(ALL))
        return 0
    if show or operation is None:
        return _list(
            [one for one in ALL if operation in (None, one.name, one.operation_id)], operation, as_json
        )
    found = next((one for one in ALL if operation in (one.name, one.operation_id)), None)
    if found is None:
        raise typer.BadParameter(f"there is no operation {operation!r}; `limbeck call --list` shows them all")
    from limbeck.server.local import checked, performing

    given = _given(body, values or (), found)
    checked(found, given)
    with performing() as (performer, principal), steps(f"running {found.name}"):
        result = performer.perform(principal, found, given, "call")
    print_json(result.model_dump(mode="json", by_alias=True))
    return 0


def _given(body: str | None, pairs: Any, operation: Operation[Any, Any]) -> dict[str, Any]:
    from server.rest.given import from_body, lists

    given = {} if body is None else from_body(body.encode("utf-8", "surrogateescape"))
    several = lists(operation.input.model_json_schema(by_alias=True).get("properties", {}))
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is no KEY=VALUE")
        if name in several and not text.startswith("["):
            given.setdefault(name, []).append(text)
        else:
            given[name] = _value(text)
    return given


def _value(text: str) -> Any:
    if text[:1] not in "[{" and text not in ("true", "false", "null"):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _list(operations: list[Operation[Any, Any]], wanted: str | None, as_json: bool) -> int:
    if wanted is not None and not operations:
        raise typer.BadParameter(f"there is no operation {wanted!r}; `limbeck call --list` shows them all")
    if as_json or wanted is not None:
        print_json([_described(one) for one in operations])
        return 0
    for one in operations:
        print(f"{one.name:<24} {one.right:<6} {one.method:<6} {one.path}")
        print(f"{'':<24} {one.purpose}")
    return 0


def _described(one: Operation[Any, Any]) -> dict[str, Any]:
    return {
        "name": one.name,
        "capability": one.operation_id,
        "purpose": one.purpose,
        "right": str(one.right),
        "method": one.method,
        "path": one.path,
        "tool": one.tool,
        "values": one.input.model_json_schema(by_alias=True),
    }
