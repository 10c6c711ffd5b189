"""``limbeck sync``: use cases as Markdown pages, kept alike with the backlog both ways."""

from __future__ import annotations

import contextlib
import getpass
import itertools
import signal
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from limbeck.commands.options import AsJson, By, ProjectName
from limbeck.context import Context, opened, print_json
from limbeck.show import counted, say
from limbeck.steps import steps
from schema.errors import LimbeckError
from schema.folders import SHARED, make

if TYPE_CHECKING:
    from projection.pages.sync import Outcome, Run

LOOK_EVERY_S = 3
WRONG = ("conflict", "refused")


def sync(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="DIR", help="The folder of pages; else documents/use_cases in the project's root."
        ),
    ] = None,
    project: ProjectName = None,
    watch: Annotated[bool, typer.Option("--watch", help="Go on until stopped.")] = False,
    by: By = None,
    as_json: AsJson = False,
) -> int:
    """Take over what was edited in the pages of use cases, and write what changed in the backlog into them.

    Titles, texts, statuses, the order and new items may be edited; "What was done" is generated. Where both sides
    changed, both stay and the page says so. Ends with 1 where a page is in conflict or was refused.
    """
    from projection.way import require_plain

    place = folder if folder is not None else _default_folder()
    require_plain(place)
    with opened() as opening:
        with opening.tenant() as connection:
            scope = str(opening.project(connection, project))
        run = _run(opening, scope, place, by or getpass.getuser())
        if watch:
            return _watch(opening, run, as_json)
        with steps("bringing pages and backlog together"):
            done = _once(opening, run)
        return _told(done, as_json)


def _run(opening: Context, project: str, folder: Path, by: str) -> Run:
    from projection.pages.sync import Run
    from server.page_writes import PageWrites

    def now() -> datetime:
        return datetime.now(UTC)

    return Run(
        opening.database, opening.client, project, folder, PageWrites(opening.client, project, by, now), now
    )


def _once(opening: Context, run: Run) -> list[Outcome]:
    from limbeck.keeping import alone_in
    from projection.pages.sync import sync as bring_together
    from recall.items import index_items

    with alone_in(opening.settings.home, run.folder):
        done = bring_together(run)
    if any(one.edits for one in done):
        index_items(opening.database, opening.client, run.project)
    return done


def _watch(opening: Context, run: Run, as_json: bool) -> int:
    """Run once, then after every change of a page, and every few seconds if the backlog is another by then."""
    from watchfiles import watch as changes

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    make(run.folder, SHARED)
    ticks = changes(
        run.folder,
        stop_event=stop,
        rust_timeout=LOOK_EVERY_S * 1000,
        yield_on_timeout=True,
        raise_interrupt=False,
    )
    before: tuple[Any, ...] = ()
    for _ in itertools.chain((None,), ticks):
        # Looked at before the run: what is written while it runs makes another one.
        try:
            now = (_pages_are(run.folder), _backlog_is(opening, run.project))
            if now != before:
                _told(_once(opening, run), as_json, quiet=True)
                before = now
        except LimbeckError as error:
            if error.permanent:
                raise
            print(f"limbeck: {error}", file=sys.stderr)  # the next look tries again
    return 0


def _pages_are(folder: Path) -> tuple[Any, ...]:
    """What tells one state of the pages from another, without reading them."""
    found = []
    for path in sorted(folder.rglob("*.md")):
        with contextlib.suppress(OSError):
            held = path.stat()
            found.append((str(path), held.st_mtime_ns, held.st_size))
    return tuple(found)


def _backlog_is(opening: Context, project: str) -> tuple[Any, ...]:
    """What tells one state of the backlog from another, cheaply."""
    from schema.backlog import stamp

    with opening.tenant() as connection:
        return stamp(connection, opening.client, project)


def _default_folder() -> Path:
    from capture.project import find

    root = find(str(Path.cwd().resolve()), make_id=None).root or str(Path.cwd())
    return Path(root) / "documents" / "use_cases"


def _told(done: list[Outcome], as_json: bool, *, quiet: bool = False) -> int:
    shown = [one for one in done if one.what != "unchanged"]
    if as_json:
        if done and not (quiet and not shown):
            names = ("path", "number", "what", "detail", "edits")
            print_json([{name: getattr(one, name) for name in names} for one in done])
    elif not shown and not quiet:
        say(
            f"{counted(len(done), 'page')}, all as in the backlog." if done else "There are no use cases yet."
        )
    for one in () if as_json else shown:
        say(f"{one.path}: {one.what}" + (f": {one.detail}" if one.detail else ""))
    return 1 if any(one.what in WRONG for one in done) else 0
