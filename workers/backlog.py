"""The backlog's part of the workers: commits that name items, and what distillers proposed. Each may run twice."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from sqlalchemy import text

from backlog import offers
from backlog.classify import run
from backlog.delivery import deliver, follow_rewrites
from schema.model import ModelError
from schema.records import Commit
from workers.runtime import Runtime

PAUSE_S = 15 * 60
log = logging.getLogger(__name__)


def delivered(runtime: Runtime, client: str, project: str, commit: Commit) -> None:
    """Bring what a commit's message delivers into the backlog and into recall."""
    from recall.items import put_items

    with runtime.database.tenant(client) as connection:
        session = connection.scalar(
            text("SELECT session::text FROM commits WHERE client = :client AND id = :id"),
            {"client": client, "id": commit.id},
        )
        done = deliver(connection, client, project, commit, now=datetime.now(UTC), session=session)
        if done.changed:
            put_items(connection, client, project, numbers={item.number for item in done.items})
    for note in done.notes:
        log.info(note)


def settle(runtime: Runtime, client: str, project: str) -> None:
    """Let what distillers proposed be drafts, where it is not known, and deliveries follow rewritten commits."""
    with runtime.database.tenant(client) as connection:
        follow_rewrites(connection, client, project)
        offers.settle(connection, client, project, datetime.now(UTC))


def due(runtime: Runtime, client: str) -> list[tuple[str, str]]:
    """Return pairs of task and project: proposals that wait to be compared, and projects with enough to classify."""
    least = runtime.settings.classify_tokens
    with runtime.database.tenant(client) as connection:
        found = [("backlog.settle", one) for one in offers.projects_with_offers(connection, client)]
        tokens = run.waiting(connection, client) if least else {}
    enough = [one for one, count in sorted(tokens.items()) if count >= least]
    found += [("backlog.classify", one) for one in enough if not runtime.redis.exists(_pause(client, one))]
    return found


def classify(runtime: Runtime, client: str, project: str) -> bool:
    """Classify one batch of a project; True where there is more to read.

    A model that is away, or a cap that is reached, leaves the texts unread and the project alone for a while. Raises
    what the model raises.
    """
    try:
        done = run.classify(runtime.database, client, project, runtime.classifier)
    except ModelError:
        runtime.redis.set(_pause(client, project), "1", ex=PAUSE_S)
        raise
    if done.read:
        log.info("classified %d texts by %s: %d drafts", done.read, done.by, len(done.added))
    return done.more


def _pause(client: str, project: str) -> str:
    return f"limbeck:{{{client}}}:unclassified:{project}"
