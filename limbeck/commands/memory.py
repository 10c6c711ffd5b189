"""``limbeck memory``: the memory bank, what agents remember, and this device's switch."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limbeck.commands.forms import a_memory
from limbeck.commands.options import AsJson
from limbeck.commands.remember import Scope
from limbeck.context import print_json
from limbeck.show import day, say, table

if TYPE_CHECKING:
    from server.operation import Operation

memory = typer.Typer(
    help="What was saved on purpose: notes of your own, and what is kept under keys.", no_args_is_help=True
)
Limit = Annotated[int, typer.Option(min=1, max=100, help="How many.")]


@memory.command("list")
def listed(limit: Limit = 20, as_json: AsJson = False) -> None:
    """Show your notes, the newest first, with what they come from; `limbeck memory keys` shows what agents keep."""
    found = _run("getMemory", limit=limit)
    if as_json:
        print_json(found.model_dump(mode="json", by_alias=True))
    elif not found.memories:
        print(
            "No notes yet. `limbeck memory save TEXT` keeps one; `limbeck memory keys` shows what is kept under keys."
        )
    else:
        rows = [
            [
                one.id,
                one.content,
                ", ".join(one.tags or ()),
                " · ".join(c.snippet for c in one.contexts),
                day(one.created_at),
            ]
            for one in found.memories
        ]
        table(["id", "memory", "tags", "from", "saved"], rows, prose=("memory", "from"))


@memory.command("search")
def search(
    words: Annotated[list[str], typer.Argument(metavar="QUESTION", help="A few words or a question.")],
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Search your notes by meaning and words, the best first."""
    found = _run("getMemorySearch", q=" ".join(words), limit=limit)
    if as_json:
        print_json(found.model_dump(mode="json", by_alias=True))
    elif not found.results:
        print("Nothing was found.")
    else:
        rows = [
            [one.id, one.content, ", ".join(one.tags or ()), day(one.created_at)] for one in found.results
        ]
        table(["id", "memory", "tags", "saved"], rows, prose=("memory",))


@memory.command("save")
def save(
    content: Annotated[str, typer.Argument(help="One self-contained sentence, without secrets; - reads it.")],
    tag: Annotated[list[str] | None, typer.Option(help="May be repeated.")] = None,
    snippet: Annotated[list[str] | None, typer.Option(help="Words it comes from; may be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Save a note."""
    said = sys.stdin.read() if content == "-" else content
    contexts = [{"snippet": one} for one in snippet or ()] or None
    kept = _run("postMemory", content=said, tags=tag or None, contexts=contexts)
    if as_json:
        print_json(kept.model_dump(mode="json", by_alias=True))
    else:
        say(f"Saved {kept.memory.id}: {kept.memory.content}")


@memory.command("delete")
def delete(
    identifier: Annotated[
        str, typer.Argument(metavar="ID", callback=a_memory, help="As `limbeck memory list` shows it.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a note for good; `limbeck forget KEY` forgets a key."""
    if not yes and sys.stdin.isatty():
        typer.confirm(f"Delete {identifier}?", abort=True)
    _run("deleteMemoryById", id=identifier)
    if as_json:
        print_json({"deleted": identifier})
    else:
        say(f"Deleted {identifier}.")


@memory.command("recall")
def recall(
    query: Annotated[str, typer.Argument(help="Literal text in key or value; empty lists everything.")] = "",
    scope: Scope = "global",
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Read what was kept with `limbeck remember` in one scope, the newest first."""
    found = _run("recall", scope=scope, query=query, limit=limit)
    if as_json:
        print_json(found.model_dump(mode="json", by_alias=True))
        return
    for one in found.entries:
        say(f"[{one.key}] {one.value}")
        who = one.written_by + (f" ({one.agent})" if one.agent else "")
        say(f"   from {who}, {day(one.updated_at)}, version {one.version}")
    say(found.note)


@memory.command("keys")
def keys(
    query: Annotated[str, typer.Argument(help="Literal text in key or value; empty lists everything.")] = "",
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Show what is kept under keys (`limbeck remember`, the agents' tool remember) in every scope, the newest first."""
    found = _run("list_remembered", query=query, limit=limit)
    if as_json:
        print_json(found.model_dump(mode="json", by_alias=True))
    elif not found.entries:
        print("Nothing is kept under a key. `limbeck remember KEY VALUE` keeps something.")
    else:
        rows = [
            [one.key, one.value, _scope(one), one.agent or one.written_by, day(one.updated_at)]
            for one in found.entries
        ]
        table(["key", "value", "kept for", "written by", "written"], rows, prose=("key", "value"))


def _scope(entry: Any) -> str:
    return f"project:{entry.project}" if entry.project else str(entry.scope)


@memory.command("off")
def off(as_json: AsJson = False) -> None:
    """Switch memory off on this device: agents get no tools and nothing is injected. Capture goes on."""
    _switch(False, as_json)


@memory.command("on")
def on(as_json: AsJson = False) -> None:
    """Switch memory on again on this device."""
    _switch(True, as_json)


def _switch(wanted: bool, as_json: bool) -> None:
    from capture.brief import OFF
    from limbeck.private import private_home
    from limbeck.settings import load

    home = load().home
    mark = home / OFF
    if wanted:
        mark.unlink(missing_ok=True)
    else:
        private_home(home)
        mark.touch(mode=0o600)
    if as_json:
        print_json({"memory": "on" if wanted else "off"})
    else:
        print(f"Memory is {'on' if wanted else 'off'} on this device.")


def _run(name: str, **given: Any) -> Any:
    from limbeck.server.local import checked, performing

    operation = _operation(name)
    checked(operation, given)
    with performing() as (performer, principal):
        return performer.perform(principal, operation, given, "command")


def _operation(name: str) -> Operation[Any, Any]:
    from server.operations import bank, kept, remember

    return next(one for one in (*bank.OPERATIONS, *kept.OPERATIONS, *remember.OPERATIONS) if one.name == name)
