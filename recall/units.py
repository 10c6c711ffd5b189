"""From a session's exchanges to units: one a turn with its neighbours as context, and one for the whole session.

Raw talk can so be found without being shown whole: a turn's neighbours and a session's digest only help finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from recall.candidates import SESSION_KIND, TURN_KIND
from schema.records import Exchange, Role, Unit

MOST_CONTEXT = 4_000  # characters of a neighbour that help finding a turn
MOST_DIGEST = 400_000
SHOWN_DIGEST = 600


def of_session(
    project: str, session: str, exchanges: Sequence[Exchange], *, files: Sequence[str] = (), title: str = ""
) -> list[Unit]:
    """Return the units of a session's exchanges (in order); ``files`` are all files the session touched."""
    told = [exchange for exchange in exchanges if exchange.text.strip()]
    turns = [
        Unit(
            kind=TURN_KIND,
            ref=exchange.id,
            project=project,
            title="",
            text=exchange.text,
            at=exchange.at,
            session=session,
            context=_neighbours(told, place),
            standing="person" if exchange.role is Role.PERSON else None,
        )
        for place, exchange in enumerate(told)
        if exchange.role is not Role.MACHINE
    ]
    return [*turns, *_whole(project, session, told, files, title)]


def _neighbours(told: Sequence[Exchange], place: int) -> str:
    beside = [told[i].text[:MOST_CONTEXT] for i in (place - 1, place + 1) if 0 <= i < len(told)]
    return "\n".join([spoken_date(told[place].at), *beside])


def _whole(
    project: str, session: str, told: Sequence[Exchange], files: Sequence[str], title: str
) -> list[Unit]:
    if not told and not files:
        return []
    first = next((e.text for e in told if e.role is Role.PERSON), told[0].text if told else "")
    digest = "\n".join([spoken_date(told[0].at) if told else "", *(e.text for e in told)])[:MOST_DIGEST]
    at = told[-1].at if told else datetime.fromisoformat("1970-01-01T00:00:00+00:00")
    return [
        Unit(
            kind=SESSION_KIND,
            ref=session,
            project=project,
            title=title,
            text=first[:SHOWN_DIGEST],
            at=at,
            session=session,
            context=digest,
            files=tuple(files),
        )
    ]


def spoken_date(at: datetime) -> str:
    """Return the date as people write it in a question: ``3 May 2026``."""
    return f"{at.day} {at:%B %Y}"
