"""Memories as units of recall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recall.shelves import MEMORY, NOWHERE, bank, remembered
from recall.units import spoken_date
from schema.records import Unit

if TYPE_CHECKING:
    from datetime import datetime

    from server.memory.bank import Context, Memory
    from server.memory.scopes import Place


def of_memory(user: str, memory: Memory, contexts: Sequence[Context]) -> Unit:
    """The unit of a memory in ``user``'s bank; tags and snippets help finding it."""
    about = [spoken_date(memory.created_at), *(memory.tags or ()), *(context.snippet for context in contexts)]
    return Unit(
        kind=bank(user),
        ref=memory.id,
        project=NOWHERE,
        title="",
        text=memory.content,
        at=memory.created_at,
        context="\n".join(about),
        standing="person",
    )


def entry_kind(place: Place) -> str:
    """The kind of what is remembered in ``place``: shared in a project, else its user's own."""
    return MEMORY if place.project else remembered(place.owner)


def of_entry(place: Place, identifier: str, key: str, value: str, at: datetime) -> Unit | None:
    """The unit of what is remembered under ``key``; None in an agent's own scope, which recall shows to nobody."""
    if place.scope.startswith("agent:"):
        return None
    return Unit(
        kind=entry_kind(place),
        ref=identifier,
        project=place.project or NOWHERE,
        title=key,
        text=value,
        at=at,
        context=spoken_date(at),
    )
