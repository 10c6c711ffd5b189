"""``limbeck import``: old transcripts become memory."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from limbeck.commands.hints import not_distilled
from limbeck.commands.options import BIGGEST, AsJson
from limbeck.context import Context, opened, print_json
from limbeck.importing.files import Skipped, Transcript, found
from limbeck.importing.run import Done, Imported, run
from limbeck.importing.settled import until_stored
from limbeck.services.hookfile import hook_config
from limbeck.ship.sender import RedisSender
from limbeck.show import counted, say
from limbeck.steps import steps

SHOWN_BROKEN = 10
SHOWN_SKIPPED = 3


def import_(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Transcripts (*.jsonl) or folders such as ~/.claude/projects; with --git, repositories."
        ),
    ] = None,
    git: Annotated[
        bool, typer.Option("--git", help="The history of repositories, of the current folder's by default.")
    ] = False,
    most: Annotated[
        int | None, typer.Option("--last", min=1, max=BIGGEST, help="With --git, only so many commits.")
    ] = None,
    wait: Annotated[bool, typer.Option(help="Wait until everything is stored.")] = True,
    again: Annotated[
        bool, typer.Option("--again", help="Read also files that were imported as they are.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Import Claude Code transcripts and Codex rollouts, or git's history.

    They go through the same redaction, queue and workers as live events, with the times of the record. It can be
    interrupted and run again; what is there already is not stored twice. It waits until all is stored, and where no
    worker is at work it ends with 1: what was sent stays in the queue. What is no transcript is skipped, and said.
    """
    if git:
        return _history([path.expanduser() for path in paths or ()] or [Path.cwd()], most, wait, as_json)
    if not paths:
        raise typer.BadParameter("say which transcripts, or --git")
    skipped: list[Skipped] = []
    transcripts = found((path.expanduser() for path in paths), skipped.append)
    with opened() as context:
        before, began = _stored(context), _clock(context)
        came_to = _send(context, transcripts, again)
        if wait:
            _wait(context)
        after = _stored(context)
        added = {name: after.get(name, 0) - before.get(name, 0) for name in after}
        forgotten = _forgotten(context, began) if wait and added["redelivered"] else 0
        with context.tenant() as connection:
            hint = not_distilled(connection, context.client, None, context.settings.idle_minutes)
    _tell(came_to, added if wait else None, forgotten, as_json, skipped)
    if hint and wait and not as_json:
        print(hint)
    return 0


def _history(folders: list[Path], most: int | None, wait: bool, as_json: bool) -> int:
    from limbeck.importing.history import repository_at
    from limbeck.importing.history import run as run_history

    for folder in folders:
        repository_at(folder)
    commits = events = left_out = unmeasured = 0
    with opened() as context:
        before = _stored(context)
        config = hook_config(context.settings, context.addresses.redis_url, context.settings.home / "spool")
        sender = RedisSender(context.addresses.redis_url, context.client)
        try:
            with steps("reading") as tell:
                for folder in folders:
                    came_to = run_history(
                        folder,
                        config,
                        sender,
                        most=most,
                        progress=lambda done, of: tell(f"reading, {done:,} of {counted(of, 'commit')}"),
                    )
                    commits += came_to.commits
                    events += came_to.events
                    left_out += came_to.left_out
                    unmeasured += came_to.unmeasured
        finally:
            sender.close()
        if wait:
            _wait(context)
        after = _stored(context)
    added = {name: after.get(name, 0) - before.get(name, 0) for name in after} if wait else None
    if as_json:
        told = {"commits": commits, "events": events, "left_out": left_out, "unmeasured": unmeasured}
        print_json(told | {"added": added})
        return 0
    print(f"{counted(commits, 'commit')} sent in {counted(events, 'event')}, {left_out} left out")
    if unmeasured:
        print(f"the symbols of {counted(unmeasured, 'commit')} could not be measured")
    if added:
        print("added: " + ", ".join(f"{count} {name}" for name, count in sorted(added.items())))
    return 0


def _send(context: Context, transcripts: list[Transcript], again: bool) -> Imported:
    home = context.settings.home
    config = hook_config(context.settings, context.addresses.redis_url, home / "spool")
    record = home / f"imported-{context.client}.json"
    done = Done(record) if again else Done.load(record)
    sender = RedisSender(context.addresses.redis_url, context.client)
    size = sum(one.path.stat().st_size for one in transcripts)
    came_by = 0

    def read(_transcript: Transcript, more: int) -> None:
        nonlocal came_by
        came_by += more
        tell(f"reading, {came_by / 1e6:,.1f} of {size / 1e6:,.1f} MB")

    try:
        with steps("reading") as tell:
            return run(transcripts, config, sender, done, progress=read)
    finally:
        sender.close()


def _stored(context: Context) -> dict[str, int]:
    from schema.reading import dispositions

    with context.tenant() as connection:
        return dispositions(connection, context.client)


def _clock(context: Context) -> datetime:
    from schema.reading import clock

    with context.tenant() as connection:
        return clock(connection)


def _forgotten(context: Context, since: datetime) -> int:
    from schema.reading import forgotten_again

    with context.tenant() as connection:
        return forgotten_again(connection, context.client, since)


def _wait(context: Context) -> None:
    """Until the stream is empty: every event has its disposition then. Raises NothingStores where no worker lives."""
    from limbeck.services.signs import SILENT_AFTER_S, WORKERS, silences
    from workers.stream import Stream, connect

    redis = connect(context.addresses.redis_url)
    stream = Stream(redis, context.client)
    try:
        with steps("storing") as tell:
            until_stored(
                stream.waiting,
                lambda: any(silence < SILENT_AFTER_S for silence in silences(redis, WORKERS).values()),
                time.sleep,
                lambda waiting: tell(f"storing, {counted(waiting, 'event')} to go"),
            )
    finally:
        redis.close()


def _tell(
    came_to: Imported, added: dict[str, int] | None, forgotten: int, as_json: bool, skipped: list[Skipped]
) -> None:
    if as_json:
        print_json(
            {
                "files": came_to.files,
                "unchanged": came_to.unchanged,
                "events": came_to.events,
                "left_out": came_to.left_out,
                "broken": [{"path": path, "line": line} for path, line in came_to.broken],
                "added": added,
                "forgotten": forgotten,
                "skipped": [{"path": str(one.path), "why": one.why} for one in skipped],
            }
        )
        return
    print(f"{counted(came_to.files, 'file')} imported, {came_to.unchanged} unchanged since the last import")
    print(f"{counted(came_to.events, 'event')} sent, {came_to.left_out} left out by your rules")
    if added is not None:
        print(
            "added: " + (", ".join(f"{count} {name}" for name, count in sorted(added.items())) or "nothing")
        )
    if forgotten:
        were, them = ("was", "it") if forgotten == 1 else ("were", "them")
        say(
            f"{counted(forgotten, 'event')} of these {were} forgotten for good: an import does not bring {them} back"
        )
    for path, line in came_to.broken[:SHOWN_BROKEN]:
        say(f"skipped line {line} of {path}: it is not JSON")
    if len(came_to.broken) > SHOWN_BROKEN:
        print(f"and {counted(len(came_to.broken) - SHOWN_BROKEN, 'more broken line')}")
    for told in passed_over(skipped):
        say(told)


def passed_over(skipped: list[Skipped]) -> Iterator[str]:
    """A line for each reason, with how many files and the first names."""
    reasons: dict[str, list[Path]] = defaultdict(list)
    for one in skipped:
        reasons[one.why].append(one.path)
    for why, paths in sorted(reasons.items()):
        names = ", ".join(str(path) for path in paths[:SHOWN_SKIPPED])
        more = ", ..." if len(paths) > SHOWN_SKIPPED else ""
        yield f"skipped {counted(len(paths), 'file')}, {why}: {names}{more}"
