"""``limbeck hook-preview``: what a hook would send, without sending it."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from limbeck.context import print_json
from limbeck.services.home import Home
from limbeck.settings import load
from limbeck.unread import unread_at
from limbeck.visible import in_json


def hook_preview(
    agent: Annotated[str, typer.Argument(help="claude, codex, gemini, cursor or git.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            help="For git: the hook's name (post-commit, post-merge, post-rewrite) and its arguments."
        ),
    ] = None,
    pretty: Annotated[bool, typer.Option("--pretty", help="Indented, for reading.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print as JSON: one list, empty where nothing would be sent.")
    ] = False,
) -> int:
    """Read a hook's payload on standard input and print the envelope it would send, one a line.

    For instance: echo '{"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt": "Why Postgres?"}' |
    limbeck hook-preview claude --pretty

    git's hooks run in a repository and are told by arguments (post-rewrite also by lines of old and new hashes on
    standard input): limbeck hook-preview git post-commit
    """
    from capture.config import read as read_config
    from hooks import run
    from hooks.payload import Unreadable

    try:
        adapter = run.adapter(agent)
    except ImportError:
        raise typer.BadParameter(
            f"there is no hook for {agent!r}; there are claude, codex, gemini, cursor and git"
        ) from None
    config = read_config(str(Home.at(load().home).path))
    given = list(arguments or [])
    raw = sys.stdin.buffer.read() if adapter.wants_input(given) else b""
    try:
        events = adapter.read(given, raw)
    except Unreadable:
        print("limbeck: standard input is not a JSON object, so a hook would send nothing.", file=sys.stderr)
        return 1
    for said in sorted({unread_at(event.cwd) for event in events if event.cwd} - {""}):
        print(f"limbeck: {said}", file=sys.stderr)
    sealed = run.seal(events, config)
    if as_json:
        print_json([json.loads(one.line) for one in sealed])
        return 0
    for one in sealed:
        if pretty:
            print_json(json.loads(one.line))
        else:
            print(in_json(one.line.decode("utf-8")))
    if not sealed:
        print("limbeck: nothing of this is kept: not worth it, or left out by a policy.", file=sys.stderr)
    return 0
