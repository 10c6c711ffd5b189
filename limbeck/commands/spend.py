"""``limbeck spend``: what the model cost, by day and by session, against the caps."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from limbeck.commands.options import AsJson
from limbeck.context import opened, print_json
from limbeck.show import minute, table


def spend(
    days: Annotated[int, typer.Option(min=1, max=3650, help="How many days back, newest first.")] = 30,
    sessions: Annotated[bool, typer.Option("--sessions", help="By session instead of by day.")] = False,
    as_json: AsJson = False,
) -> int:
    """Show model calls, tokens and cost, and what is left of today's cap."""
    from distill.spend import MICRO, dollars
    from distill.store.spend import by_day, by_session, spent_on

    with opened() as opening, opening.tenant() as connection:
        by = (
            by_session(connection, opening.client, limit=days)
            if sessions
            else by_day(connection, opening.client, days=days)
        )
        today = spent_on(connection, opening.client, datetime.now(UTC).date())
        cap = round(opening.settings.daily_usd * MICRO)
        per_session = round(opening.settings.session_usd * MICRO)
    told = {
        "today_microusd": today,
        "daily_cap_microusd": cap,
        "session_cap_microusd": per_session,
        "at_cap": today >= cap,
        "sessions" if sessions else "days": by,
    }
    if as_json:
        print_json(told)
        return 0
    print(f"Today {dollars(today)} of {dollars(cap)}; at most {dollars(per_session)} a session.")
    if not by:
        print("No model was asked yet. Without a key everything is distilled offline.")
        return 0
    table(*(_sessions(by) if sessions else _days(by)), prose=("project", "model"))
    return 0


def _days(rows: list[dict[str, Any]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    from distill.spend import dollars

    headings = (
        "day",
        "model",
        "calls",
        "refused",
        "lost",
        "input",
        "output",
        "cost",
        "reserved",
    )
    return headings, [
        (
            str(row["day"]),
            row["model"],
            str(row["calls"]),
            str(row["refused"]),
            str(row["lost"]),
            str(row["input"]),
            str(row["output"]),
            dollars(row["microusd"]),
            dollars(row["reserved"]),
        )
        for row in rows
    ]


def _sessions(rows: list[dict[str, Any]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    from distill.spend import dollars

    headings = ("session", "project", "calls", "tokens", "cost", "last")
    return headings, [
        (
            (row["session"] or "")[:13],
            row["project"],
            str(row["calls"]),
            str(row["tokens"]),
            dollars(row["microusd"]),
            minute(row["last_at"]),
        )
        for row in rows
    ]
