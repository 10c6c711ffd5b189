"""Every task, a few lines each; ``workers.app`` says which queue a name goes to."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from celery import Celery
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from schema.errors import LimbeckError
from schema.failures import places
from workers import backlog, commits, distil, index, publish, sweep, told
from workers.drain import drain
from workers.runtime import Runtime

EXPIRES_S = 60.0
log = logging.getLogger(__name__)


def register(app: Celery) -> None:
    """Declare the tasks on ``app``; each reaches the open connections through ``app.runtime``."""
    runtime = app.runtime

    def enqueue(name: str, *arguments: str) -> None:
        """Send a task, for a while; where the broker is away or it is lost, the sweep finds the work again."""
        try:
            app.send_task(name, arguments, expires=EXPIRES_S)
        except (KombuError, RedisError, OSError) as error:
            log.warning("%s waits for the sweep: %s", name, type(error).__name__)

    def task(name: str) -> Any:
        """Declare a task whose expected errors are one line in the log: the sweep, or the watch, tries again."""

        def declare(function: Callable[..., None]) -> Any:
            @wraps(function)
            def run(*arguments: str) -> None:
                try:
                    function(*arguments)
                except LimbeckError as error:
                    log.warning("%s is tried again: %s", name, error)
                except Exception as error:  # Celery would log its words, which may be a row's
                    log.error("%s failed: %s", name, places(error))

            return app.task(run, name=name)

        return declare

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

    @task("backlog.settle")
    def backlog_settle(client: str, project: str) -> None:
        backlog.settle(runtime, client, project)

    @task("backlog.classify")
    def backlog_classify(client: str, project: str) -> None:
        if backlog.classify(runtime, client, project):
            enqueue("backlog.classify", client, project)

    @task("session.index")
    def session_index(client: str, session: str) -> None:
        index.session(runtime, client, session)

    @task("message.index")
    def message_index(client: str, project: str) -> None:
        told.messages(runtime, client, project)
        index.messages(runtime, client, project)

    @task("commit.prove")
    def commit_prove(client: str, commit: str) -> None:
        distil.commit(runtime, client, commit)

    @task("commit.read")
    def commit_read(client: str, project: str) -> None:
        if commits.read(runtime, client, project):
            enqueue("commit.read", client, project)
        enqueue("units.embed", client)

    @task("units.embed")
    def units_embed(client: str) -> None:
        if index.embed(runtime, client):
            enqueue("units.embed", client)

    @task("bundle.publish")
    def bundle_publish(client: str, project: str) -> None:
        publish.bundle(runtime, client, project, datetime.now(UTC))

    _sweeps(task, runtime, enqueue)


def _sweeps(task: Any, runtime: Runtime, enqueue: Callable[..., None]) -> None:
    """Declare what happens although nothing arrives."""

    @task("sweep.index")
    def sweep_index() -> None:
        for client in runtime.database.clients():
            enqueue("sweep.fold", client)

    @task("sweep.fold")
    def sweep_fold(client: str) -> None:
        index.fold(runtime, client)

    @task("sweep.all")
    def sweep_all() -> None:
        for client in runtime.database.clients():
            enqueue("sweep.client", client)

    @task("sweep.client")
    def sweep_client(client: str) -> None:
        for name, identifier in sweep.client(runtime, client, datetime.now(UTC)):
            enqueue(name, client, identifier)
        if index.unembedded(runtime, client):
            enqueue("units.embed", client)

    @task("sweep.partitions")
    def sweep_partitions() -> None:
        sweep.partitions(runtime)

    @task("sweep.retain")
    def sweep_retain() -> None:
        for line in sweep.retained(runtime, datetime.now(UTC)):
            log.info("retention: %s", line)
