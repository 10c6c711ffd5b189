"""Operations in this process, over the database of the settings, as the machine's owner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from limbeck.context import opened
from limbeck.embeddings import embeddings_of

if TYPE_CHECKING:
    from server.operation import Operation
    from server.perform import Performer
    from server.principal import Principal


def checked(operation: Operation[Any, Any], given: Mapping[str, Any]) -> None:
    """Look at the values before anything is opened. Raises InvalidInput for those that cannot be right."""
    from server.perform import validated

    validated(operation.input, given)


@contextmanager
def performing() -> Iterator[tuple[Performer, Principal]]:
    """Yield what runs operations, and the owner as whom they run. Raises what the settings and the database raise."""
    from limbeck.server import owner
    from limbeck.server.embedder import OnDemand
    from limbeck.server.values import values_of
    from server.intake import Intake
    from server.perform import Performer

    with opened() as context:
        url = context.addresses.redis_url
        values = values_of(context.settings) | {"queue_url": url}
        values["intake"] = Intake(url, context.settings.queue_high_water)
        performer = Performer(context.database, OnDemand(embeddings_of(context.settings)), values)
        yield performer, owner.principal(context.client)
