"""``limbeck add``: a message or a meeting note becomes part of the memory."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from limbeck.commands.forms import words
from limbeck.commands.options import AsJson
from limbeck.context import print_json
from schema.errors import LimbeckError

add = typer.Typer(help="Add a message or a meeting note to the mirror.", no_args_is_help=True)

Text = Annotated[str, typer.Argument(callback=words, help="The text; - reads standard input.")]
Title = Annotated[str, typer.Option(help="A title.")]
Source = Annotated[str, typer.Option(help="Where it is from, such as a channel or a meeting.")]
Folder = Annotated[Path | None, typer.Option("--in", help="A folder of the project; else where you are.")]


class NotAdded(LimbeckError):
    """It was not added: {why}."""


@add.command("message")
def message(
    text: Text, title: Title = "", source: Source = "", folder: Folder = None, as_json: AsJson = False
) -> None:
    """Add a message."""
    _add("message", text, title, source, folder, as_json)


@add.command("note")
def note(
    text: Text, title: Title = "", source: Source = "", folder: Folder = None, as_json: AsJson = False
) -> None:
    """Add a meeting note."""
    _add("note", text, title, source, folder, as_json)


def _add(kind: str, text: str, title: str, source: str, folder: Path | None, as_json: bool) -> None:
    """Redact it here and hand it over as a hook does: to the queue, else to this machine's spool."""
    from capture.deliver import deliver
    from capture.errors import CaptureError
    from capture.ids import new_id
    from capture.message import seal
    from capture.project import find
    from limbeck.services.addresses import addresses
    from limbeck.services.hookfile import hook_config
    from limbeck.settings import load

    said = sys.stdin.read() if text == "-" else text
    if not said.strip():
        raise NotAdded(why="the text is empty")
    settings = load()
    config = hook_config(settings, addresses(settings).redis_url, settings.home / "spool")
    project = find(str((folder or Path.cwd()).resolve()))
    told = {name: value for name, value in (("title", title), ("source", source)) if value}
    ident = new_id()
    line = seal(
        kind, said, told, project, config.policy.joined(project.root), ident=ident, at=int(time.time() * 1000)
    )
    if line is None:
        raise NotAdded(why="your rules keep this project private")
    try:
        where = deliver(line, config, errand=False)
    except CaptureError as error:
        raise NotAdded(why=str(error)) from error
    if as_json:
        print_json({"event": ident, "accepted": where})
        return
    print(f"{kind} {ident} is in the {where}; `limbeck trace {ident}` shows it once it is stored")
