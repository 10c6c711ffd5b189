"""What `limbeck status` counts beside the database, for the server's operation of the same name."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from limbeck.services import state as states
from limbeck.services.addresses import addresses
from limbeck.services.home import Home
from limbeck.settings import Settings
from schema.errors import LimbeckError


def measuring(settings: Settings) -> Callable[[str], dict[str, Any]]:
    """Return what looks at a client's queue, database and spool, as one reading whose numbers agree."""

    def measured(client: str) -> dict[str, Any]:
        from limbeck.services.health import measure, problems
        from limbeck.services.signs import SILENT_AFTER_S

        home = Home.at(settings.home)
        try:
            health = measure(client, addresses(settings, home), home.spool)
        except LimbeckError as error:
            return {"problems": [str(error)]}
        state = states.read(home.run)
        young = state is not None and state.young(time.time(), SILENT_AFTER_S)
        return {
            "counts": asdict(health.counts),
            "agree": health.counts.agree,
            "oldest_pending": health.oldest_pending,
            "oldest_spooled": health.oldest_spooled,
            "oldest_undistilled": health.oldest_undistilled,
            "undistilled": health.undistilled,
            "secrets": health.secrets,
            "problems": problems(health, young=young),
        }

    return measured
