"""``limbeck purge``: clean what is stored with today's patterns."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from limbeck.commands.options import AsJson
from limbeck.context import opened, print_json
from limbeck.show import counted, say, table
from limbeck.steps import steps


def purge(
    secrets: Annotated[bool, typer.Option("--secrets", help="Look for secrets, as it does anyway.")] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count, and change nothing.")] = False,
    as_json: AsJson = False,
) -> int:
    """Scan every stored text again and remove what older patterns let through: rows, index, vectors, spool, logs.

    Values are never shown; the counts are by rule. The words of the index are made anew from the clean texts. Where the
    database is this machine's own, the files below its tables are written anew, and each table is closed to others
    meanwhile. It can be interrupted and run again.
    """
    del secrets  # there is nothing else to purge
    from limbeck import purge_files
    from limbeck.purge import ANEW, tables_of
    from limbeck.purge import purge as run

    rows: Counter[str] = Counter()

    def scanned(name: str, more: int) -> None:
        rows[name] += more
        tell(name if name.startswith(ANEW) else f"scanning {name}, {counted(rows[name], 'row')}")

    with opened() as context, steps("scanning") as tell:
        done = run(
            context.addresses.owner_url,
            context.database,
            context.client,
            dry_run=dry_run,
            progress=scanned,
        )
        home = context.settings.home
        if dry_run:
            files = purge_files.counted(home)
        else:
            tell("cleaning files")
            own = context.settings.embedded_database
            files = purge_files.purge(home, context.addresses, done.cleaned, own_database=own)
    secrets_found = done.secrets + files.secrets
    if as_json:
        print_json(
            {
                "dry_run": dry_run,
                "scanned": dict(done.scanned),
                "cleaned": dict(done.cleaned),
                "secrets": dict(secrets_found),
                "reindexed": done.reindexed,
                "spool": files.spool,
                "logs": files.logs,
                "not_reached": files.not_reached,
            }
        )
        return 0
    table(
        ("table", "rows scanned", "rows with a secret" if dry_run else "rows cleaned"),
        [(name, str(scanned), str(cleaned)) for name, scanned, cleaned in tables_of(done)],
    )
    for what, count in (("event in the spool", files.spool), ("log", files.logs)):
        if count:
            print(f"{counted(count, what)} {'held' if dry_run else 'lost'} secrets")
    for line in files.not_reached:
        say(f"Not reached: {line}")
    told = ", ".join(f"{rule} {count}" for rule, count in sorted(secrets_found.items()))
    print(f"secrets {'found' if dry_run else 'removed'}: {told or 'none'}")
    return 0
