"""``limbeck demo``: the whole of it on real input, in a temporary home."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from limbeck.commands.options import AsJson
from limbeck.context import print_json
from limbeck.demo.run import run
from limbeck.demo.stage import Stage
from limbeck.errors import NotADemo
from limbeck.services.control import stop
from limbeck.services.home import Home

PREFIX = "limbeck-demo-"
MARK = ".limbeck-demo"
SHOWN = 2


def demo(
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave it running, and say how to look around.")
    ] = False,
    end: Annotated[
        Path | None, typer.Option("--end", metavar="DIR", help="Stop and remove one that was kept.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Watch three scripted sessions become memory: real hooks, real queue, real workers, a real repository.

    Everything happens in a temporary folder; it is stopped and removed at the end, also after Ctrl-C.
    """
    console = Console(stderr=as_json, highlight=False)
    if end is not None:
        _remove(_kept(end))
        console.print(f"{end} is stopped and removed", soft_wrap=True)
        return 0
    began = time.monotonic()
    with _stage(keep) as stage:
        console.print("starting a Postgres, a queue and the workers of its own")
        stage.repository.mkdir()
        stage.limbeck("up")
        result = run(stage, lambda line: console.print(f"  {escape(line)}", soft_wrap=True))
        result["seconds"] = round(time.monotonic() - began, 1)
        if as_json:
            print_json(result)
        else:
            _tell(console, result)
            if keep:
                _look_around(console, stage)
    return 0 if _good(result) else 1


@contextmanager
def _stage(keep: bool) -> Iterator[Stage]:
    """A temporary folder; stopped and removed whatever happens, unless it is to be kept and all went well."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    stage = Stage(folder)
    (folder / MARK).touch(mode=0o600)
    before = signal.signal(signal.SIGTERM, _interrupt)
    kept = False
    try:
        yield stage
        kept = keep
    finally:
        signal.signal(signal.SIGTERM, before)
        if not kept:
            held = signal.signal(signal.SIGINT, signal.SIG_IGN)
            try:
                _remove(stage)
            finally:
                signal.signal(signal.SIGINT, held)


def _remove(stage: Stage) -> None:
    home = Home.at(stage.home)
    stop(home)
    home.remove()
    shutil.rmtree(stage.folder)


def _kept(folder: Path) -> Stage:
    """The demonstration in ``folder``. Raises NotADemo, so that nothing else is ever removed."""
    stage = Stage(folder.absolute())
    if not folder.name.startswith(PREFIX) or not all(_ours(path) for path in (stage.folder, stage.home)):
        raise NotADemo(path=folder)
    if not (stage.folder / MARK).is_file():
        raise NotADemo(path=folder)
    return stage


def _ours(folder: Path) -> bool:
    """Whether it is a folder itself, not a link to one, and ours alone."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _good(result: dict[str, Any]) -> bool:
    sums = result["sums"]
    ended = sums["stored"] + sums["merged"] + sums["redelivered"] + sums["quarantined"]
    return not any(result["token"].values()) and sums["received"] == ended


def _tell(console: Console, result: dict[str, Any]) -> None:
    facts = result["facts"]
    current = [fact for fact in facts if fact["current"]]
    console.print(f"\nfacts: {len(current)} current, {len(facts) - len(current)} retired")
    for question, answer in result["answers"].items():
        console.print(f"\n[bold]{escape(question)}[/bold]")
        for hit in answer["hits"][:SHOWN]:
            where = f"{hit['kind']}, {hit['at'][:10]}" + (
                f", known from {hit['standing']}" if hit["standing"] else ""
            )
            sources = ", ".join(source["commit"][:9] for source in hit["evidence"] if source.get("commit"))
            console.print(f"  {escape(hit['text'])}", soft_wrap=True)
            console.print(f"    [dim]{escape(where)}{', commit ' + sources if sources else ''}[/dim]")
    console.print("\n[bold]retired, with what proved it[/bold] (limbeck facts --history)")
    by_id = {fact["id"]: fact for fact in facts}
    for fact in facts:
        if not fact["current"]:
            successor = by_id.get(fact["superseded_by"], {})
            proof = ", ".join(f"commit {sha[:9]}" for sha in successor.get("commits", ())[:1])
            console.print(f"  {escape(fact['statement'])}", soft_wrap=True)
            console.print(
                f"    [dim]{escape(fact['reason'])}{'  ' + proof if proof else ''}[/dim]", soft_wrap=True
            )
    console.print("\n[bold]what the next session begins with[/bold] (its hook prints it, fenced as data)")
    for line in result["brief"].splitlines()[2:-1]:
        console.print(f"  {escape(line)}", soft_wrap=True)
    found = result["token"]
    count = sum(len(places) for places in found.values())
    console.print(f"\nthe planted token stands in {count} places (files, tables and queue searched)")
    for places in found.values():
        for place in places:
            console.print(f"  [red]{escape(place)}[/red]")
    sums = result["sums"]
    console.print(
        f"received {sums['received']} = stored {sums['stored']} + merged {sums['merged']} + "
        f"redelivered {sums['redelivered']} + quarantined {sums['quarantined']}   ({result['seconds']} s)"
    )


def _look_around(console: Console, stage: Stage) -> None:
    console.print(f"\nit keeps running. To look around:\n  cd {stage.repository}", soft_wrap=True)
    console.print(f"  export LIMBECK_HOME={stage.home}", soft_wrap=True)
    for words in ("status", "sessions", "facts --history", 'recall "why Postgres?"', "drafts", "open"):
        console.print(f"  limbeck {words}")
    console.print(f"and to end it:\n  limbeck demo --end {stage.folder}", soft_wrap=True)
