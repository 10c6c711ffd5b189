"""``limbeck worker``: a Celery worker in the foreground."""

from __future__ import annotations

import gc
import os
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from limbeck.commands.forms import queue_names
from limbeck.services.home import Home
from limbeck.settings import Settings, load
from recall.embedding.choose import OFFLINE


def worker(
    processes: Annotated[
        int | None,
        typer.Option(
            help="How many tasks at once; LIMBECK_WORKER_PROCESSES where not given.", min=1, max=256
        ),
    ] = None,
    queues: Annotated[
        str | None, typer.Option(callback=queue_names, help="Take these queues only, with commas between.")
    ] = None,
    schedule: Annotated[
        bool, typer.Option("--schedule", help="Run the schedule too, in place of `limbeck schedule`.")
    ] = False,
    ready_file: Annotated[Path | None, typer.Option(hidden=True)] = None,
) -> int:
    """Run a worker until it is asked to stop (Ctrl-C or SIGTERM: running tasks end first).

    `limbeck up` runs one in the background; this is for containers, and to add machines to a team.
    """
    settings = load()
    home = Home.at(settings.home)
    home.prepare()
    os.umask(0o077)
    _run(settings, home, processes or settings.worker_processes, queues, schedule, ready_file)
    return 0


def _run(
    settings: Settings,
    home: Home,
    processes: int,
    queues: str | None,
    schedule: bool,
    ready_file: Path | None,
) -> None:
    from celery.signals import worker_ready

    from limbeck.services.application import application, schedule_file
    from limbeck.services.heartbeat import Scheduled
    from workers.app import QUEUES

    app = application(settings, home)
    taken = set(queues.split(",")) if queues else set(QUEUES)
    _load_once(app, taken)

    def ready(**_: object) -> None:
        if ready_file is not None:
            ready_file.touch(mode=0o600)

    worker_ready.connect(ready, weak=False)
    words = ["worker", "--pool=prefork", f"--concurrency={processes}", f"--loglevel={settings.log_level}"]
    words += ["--without-gossip", "--without-mingle", f"--queues={','.join(sorted(taken))}"]
    words += [f"--hostname=worker-{os.getpid()}@%h"]
    if schedule:
        app.conf.beat_schedule_filename = str(schedule_file(home))
        app.steps["worker"].add(Scheduled)
    app.worker_main(words)


def _load_once(app: Any, queues: set[str]) -> None:
    """Load what each task process would load for itself before they are forked, so that they share its memory.

    That is the embedding model above all: a hundred megabytes a process. One BLAS thread each: more were slower,
    and threads do not outlive a fork.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from limbeck.services.memory import give_back

    import_module("workers.net")
    if "distil" in queues:
        for module in ("distill.run", "recall.run"):
            import_module(module)
        embedder = app.runtime.embedder
        if embedder is not None and app.runtime.settings.embeddings.provider == OFFLINE:
            embedder.embed(["warm"])  # others have nothing to load, and may be away while we start
    give_back()
    gc.freeze()  # the collector would write to every shared object
