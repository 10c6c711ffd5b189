"""``limbeck migrate``: the database's schema, forward."""

from __future__ import annotations

from limbeck.commands.options import AsJson
from limbeck.context import print_json
from limbeck.services.addresses import addresses
from limbeck.settings import load
from limbeck.steps import steps


def migrate(
    as_json: AsJson = False,
) -> int:
    """Bring the database to this version's schema, in one transaction, and make LIMBECK_CLIENT known to it.

    `limbeck up` does it too. Uses LIMBECK_DATABASE_OWNER_URL where it is set, else LIMBECK_DATABASE_URL, else the
    embedded Postgres, which must be running.
    """
    from limbeck.services.prepare import make_known, migrated

    settings = load()
    owner_url = addresses(settings).owner_url
    with steps("bringing the schema up to date"):
        before = migrated(owner_url)
        make_known(owner_url, settings.client)
    if as_json:
        print_json({"before": before, "now": "current"})
    elif before == "current":
        print("the schema was this version's already")
    else:
        print(f"the schema was {before} and is this version's now")
    return 0
