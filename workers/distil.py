"""One session through the distiller: counted, single-flight, and marked distilled only if nothing came meanwhile."""

from __future__ import annotations

import logging

from sqlalchemy import text

from schema.errors import LimbeckError
from schema.failures import places
from workers import backlog, index
from workers.lifecycle import Signal, State, transition
from workers.runtime import Runtime

ATTEMPTS = 5
FIRST_WAIT_S = 10.0
LONGEST_WAIT_S = 900.0
log = logging.getLogger(__name__)


def session(runtime: Runtime, client: str, identifier: str) -> bool:
    """Distil one session; True where its summary, events and facts are committed.

    An attempt is counted before it starts, so a crash counts; after five the session is left with its reason. What
    may pass by itself (the model is away, a cap is reached) is tried again however often, ever more rarely.
    """
    with runtime.database.alone(client, f"distil {identifier}") as taken:
        return taken and _distil(runtime, client, identifier)


def _distil(runtime: Runtime, client: str, identifier: str) -> bool:
    seen = _begin(runtime, client, identifier)
    if seen is None:
        return False
    from distill.run import distil_session

    try:
        distil_session(runtime.database, client, identifier, runtime.distiller)
    except LimbeckError as error:
        _fail(runtime, client, identifier, str(error), permanent=error.permanent)
        return False
    except Exception as error:
        log.error("distilling session %s failed: %s", identifier, places(error))
        _fail(runtime, client, identifier, type(error).__name__, permanent=True)
        return False
    _finish(runtime, client, identifier, seen)
    return True


def commit(runtime: Runtime, client: str, identifier: str) -> None:
    """Prove one commit, and make the facts that follow findable."""
    project = prove(runtime, client, identifier)
    if project is not None:
        index.facts(runtime, client, project)


def prove(runtime: Runtime, client: str, identifier: str) -> str | None:
    """Bring what one commit's files prove and its message delivers into the memory, at once and without a model.

    Returns the project whose facts are to be indexed. A commit that was replaced by an amend or a rebase meanwhile
    proves nothing.
    """
    from distill.run import prove_commit
    from schema.evidence import load_commit

    with runtime.database.tenant(client) as connection:
        found = load_commit(connection, client, identifier)
    if found is not None:
        project, evidence = found
        prove_commit(runtime.database, client, project, evidence)
        backlog.delivered(runtime, client, project, evidence)
    with runtime.database.tenant(client) as connection:
        connection.execute(
            text("UPDATE commits SET proved_at = now() WHERE client = :client AND id = :id"),
            {"client": client, "id": identifier},
        )
    return found and found[0]


def _begin(runtime: Runtime, client: str, identifier: str) -> str | None:
    """Count the attempt and return a mark of what the session has seen; None where there is nothing to do."""
    with runtime.database.tenant(client) as connection:
        row = connection.execute(
            text("""
                UPDATE sessions SET distil_attempts = least(distil_attempts + 1, :attempts), distil_after = NULL
                WHERE client = :client AND session = :session AND state = 'ended'
                  AND (distil_attempts < :attempts OR distil_after IS NOT NULL)
                  AND (distil_after IS NULL OR distil_after <= now())
                RETURNING seen_at::text
            """),
            {"client": client, "session": identifier, "attempts": ATTEMPTS},
        ).first()
    return None if row is None else str(row[0])


def _finish(runtime: Runtime, client: str, identifier: str, seen: str) -> None:
    state, _ = transition(State.ENDED, Signal.DISTILLED)
    with runtime.database.tenant(client) as connection:
        connection.execute(
            text("""
                UPDATE sessions SET state = :state, distilled_at = now(), distil_attempts = 0, distil_error = NULL
                WHERE client = :client AND session = :session AND state = 'ended' AND seen_at::text = :seen
            """),
            {"state": state.value, "client": client, "session": identifier, "seen": seen},
        )


def _fail(runtime: Runtime, client: str, identifier: str, reason: str, *, permanent: bool) -> None:
    """Keep the reason; the wait before the next attempt doubles, and ends an attempt too many where it is for good."""
    with runtime.database.tenant(client) as connection:
        connection.execute(
            text("""
                UPDATE sessions SET distil_error = :reason, distil_after = CASE
                    WHEN :permanent AND distil_attempts >= :attempts THEN NULL
                    ELSE now() + least(:first * power(2, distil_attempts - 1), :longest) * interval '1 second' END
                WHERE client = :client AND session = :session
            """),
            {
                "reason": reason[:500],
                "permanent": permanent,
                "attempts": ATTEMPTS,
                "first": FIRST_WAIT_S,
                "longest": LONGEST_WAIT_S,
                "client": client,
                "session": identifier,
            },
        )
