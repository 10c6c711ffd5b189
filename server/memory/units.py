"""Memories as units of recall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recall.shelves import NOWHERE, bank
from recall.units import spoken_date
from schema.records import Unit

if TYPE_CHECKING:
    from server.memory.bank import Context, Memory


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
