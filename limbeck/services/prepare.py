"""Before the worker starts: are the servers fit, and has the database this version's schema?

A process of its own, because the supervisor that runs it stays small. Warnings go to standard output, the
one sentence of a failure to standard error.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from sqlalchemy.exc import DBAPIError

from limbeck.configure.noted import hand_over_now
from limbeck.errors import HomeUnusable, MigrationFailed
from limbeck.server import owner
from limbeck.services.addresses import addresses
from limbeck.services.requirements import check_postgres, check_redis, place
from limbeck.settings import Settings, load
from schema import migrate
from schema.database import Database
from schema.errors import LimbeckError, Refused
from schema.logs import quietly


def migrated(owner_url: str) -> str:
    """Check the database, bring it to this version's schema in one transaction; returns what it was before.

    Raises the errors of ``check_postgres``, SchemaTooNew and MigrationFailed.
    """
    check_postgres(owner_url)
    try:
        return str(migrate.upgrade(owner_url))
    except Refused as error:
        raise MigrationFailed(where=place(owner_url), why=error.fields["why"]) from error
    except DBAPIError as error:
        why = str(error.orig).strip().splitlines()[0]
        raise MigrationFailed(where=place(owner_url), why=why) from error


def make_known(url: str, client: str) -> None:
    """Make ``client`` known to the migrated database at ``url``: workers serve the clients that are listed there.

    Raises DatabaseUnavailable.
    """
    database = Database(url, pooled=False)
    try:
        database.add_client(client)
    finally:
        database.close()


def sign_in(url: str, settings: Settings) -> None:
    """Keep a token of the owner's in the home, so that this machine's agents reach the server.

    Raises DatabaseUnavailable and HomeUnusable.
    """
    database = Database(url, pooled=False)
    try:
        owner.ensure(settings.home, database, settings.client, datetime.now(UTC))
    except OSError as error:
        raise HomeUnusable(path=settings.home, why=error.strerror or error) from error
    finally:
        database.close()


def main() -> int:
    """Check and migrate for the settings of this process; 0 done, 1 a sentence on standard error."""
    quietly("warning")
    try:
        settings = load()
        at = addresses(settings)
        warnings = check_redis(at.redis_url)
        migrated(at.owner_url)
        check_postgres(at.database_url)
        make_known(at.database_url, settings.client)
        if settings.server == "on":
            sign_in(at.database_url, settings)
        hand_over_now(settings.home, at.database_url, settings.client)
    except LimbeckError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.writelines(f"{warning}\n" for warning in warnings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
