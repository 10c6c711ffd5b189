"""Every task, a few lines each; ``workers.app`` says which queue a name goes to."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any

from celery import Celery

from schema.errors import LimbeckError
from workers import distil, index, sweep
from workers.drain import drain

log = logging.getLogger(__name__)


def register(app: Celery) -> None:
    """Declare the tasks on ``app``; each reaches the open connections through ``app.runtime``."""
    runtime = app.runtime

    def enqueue(name: str, *arguments: str) -> None:
        """Send a task; where the broker is away the sweep finds the work again."""
        try:
            app.send_task(name, arguments)
        except Exception as error:
            log.warning("%s waits for the sweep: %s", name, type(error).__name__)

    def task(name: str, **options: Any) -> Any:
        return app.task(name=name, autoretry_for=(), **options)

    @task("ingest.drain")
    def ingest_drain(client: str) -> None:
        drained = drain(
            runtime.database,
            runtime.stream(client),
            then=lambda name, identifier: enqueue(name, client, identifier),
            quiet_after=runtime.quiet_after,
        )
        if drained.more:
            enqueue("ingest.drain", client)

    @task("session.distil")
    def session_distil(client: str, session: str) -> None:
        if distil.session(runtime, client, session):
            enqueue("session.index", client, session)

    @task("session.index")
    def session_index(client: str, session: str) -> None:
        index.session(runtime, client, session)

    @task("commit.prove")
    def commit_prove(client: str, commit: str) -> None:
        project = distil.commit(runtime, client, commit)
        if project is not None:
            enqueue("facts.index", client, project)

    @task("facts.index")
    def facts_index(client: str, project: str) -> None:
        index.facts(runtime, client, project)

    @task("sweep.index")
    def sweep_index() -> None:
        for client in runtime.database.clients():
            index.fold(runtime, client)

    @task("sweep.all")
    def sweep_all() -> None:
        now = datetime.now(UTC)
        for client in runtime.database.clients():
            try:
                found = sweep.client(runtime, client, now)
            except LimbeckError as error:
                log.warning("the sweep of %s failed: %s", client, type(error).__name__)
                continue
            for name, session in found:
                enqueue(name, client, session)

    @task("sweep.partitions")
    def sweep_partitions() -> None:
        sweep.partitions(runtime)
