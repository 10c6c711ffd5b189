"""Options that several commands take, and how a time is read: one meaning wherever they stand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import typer


def _alone(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Refuse a project beside every project, whichever was typed first."""
    other = {"project": "everywhere", "everywhere": "project"}.get(str(parameter.name), "")
    if value and context.params.get(other):
        raise typer.BadParameter("--all and --project exclude one another")
    return value


AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]
ProjectName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", callback=_alone, help="A project by name, remote or id; else where you are."
    ),
]
Everywhere = Annotated[bool, typer.Option("--all", callback=_alone, help="Every project.")]
By = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who decides; else the account's name.")]


def only_a_front(context: typer.Context) -> bool:
    """Whether a command of the group follows; what stood before it would be read by nobody, and is a usage error."""
    if context.invoked_subcommand is None:
        return False
    sources = [context.get_parameter_source(name) for name in context.params]
    said = [source for source in sources if source is not None and source.name == "COMMANDLINE"]
    if said:
        raise typer.BadParameter(f"options stand after `{context.invoked_subcommand}`, if it takes them")
    return True


BIGGEST = 2**31 - 1  # of a number as the database keeps it
TIMES = "2026-03-01, 2026-03-01T12:00 (UTC) or 'last week'"


def since_time(phrase: str | None) -> datetime | None:
    """Return the moment at which what a phrase means begins: of a day or a stretch its start. None stays None.

    A phrase that means no time is a usage error.
    """
    if phrase is None:
        return None
    try:
        at = datetime.fromisoformat(phrase.strip())
    except ValueError:
        from recall.times import find

        window = find(phrase, datetime.now(UTC))
        return window.start if window else at_time(phrase)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def at_time(phrase: str | None) -> datetime | None:
    """Return the moment a phrase means; a day or a stretch means its end, a time without a zone UTC. None stays None.

    A phrase that means no time is a usage error.
    """
    if phrase is None:
        return None
    from recall.times import moment_of

    found = moment_of(phrase, datetime.now(UTC))
    if found is None:
        raise typer.BadParameter(
            f"{phrase!r} is not a time; write it like 2026-03-01, 2026-03-01T12:00 or 'last week'"
        )
    return found
