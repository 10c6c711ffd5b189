"""``limbeck retain``: old evidence goes, what it came to stays."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from limbeck.commands.options import AsJson
from limbeck.context import opened, print_json
from limbeck.show import day, table
from limbeck.steps import steps


def retain(
    days: Annotated[
        int, typer.Option("--days", min=1, max=36_500, help="How many days of evidence to keep.")
    ],
    audit: Annotated[
        bool, typer.Option("--audit", help="Drop older lines of the audit log, and no evidence.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would go, and change nothing.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Drop whole months of the mirror that ended more than DAYS days ago and whose sessions are distilled.

    Facts, events and summaries stay, and `limbeck trace` says of their evidence when it was dropped. With --audit, old
    lines of the server's audit log go instead, for every client.

    The settings retain_days and retain_audit_days (`limbeck config set`) have the workers do it by themselves, once a
    day.
    """
    from schema.retention import retain as run
    from schema.retention import retain_audit

    before = datetime.now(UTC) - timedelta(days=days)
    if audit:
        with opened() as context, steps("dropping old lines"):
            lines = retain_audit(context.addresses.owner_url, before, dry_run=dry_run)
        if as_json:
            print_json({"dry_run": dry_run, "audit": lines})
        else:
            went = "would go" if dry_run else "dropped"
            print(f"Lines of the audit log older than {days} days: {lines} {went}.")
        return 0
    with opened() as context, steps("looking at old months"):
        seen = run(context.addresses.owner_url, before, dry_run=dry_run)
    if as_json:
        print_json(
            {"dry_run": dry_run, "partitions": [asdict(one) | {"dropped": not one.why} for one in seen]}
        )
        return 0
    if not seen:
        print(f"Nothing is older than {days} days by whole months.")
        return 0
    went = "would go" if dry_run else "dropped"
    table(
        ("partition", "until", "rows", "what became of it"),
        [(one.name, day(one.until), str(one.rows), f"kept: {one.why}" if one.why else went) for one in seen],
        prose=("what became of it",),
    )
    return 0
