"""``limbeck health``: does this machine's worker, schedule or server live? For the health checks of containers."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from limbeck.commands.options import AsJson
from limbeck.context import print_json
from limbeck.settings import load


class Part(StrEnum):
    """What can be asked after."""

    WORKER = "worker"
    SCHEDULE = "schedule"
    SERVER = "server"


def health(
    part: Annotated[Part, typer.Argument(help="The part that should run on this machine.")],
    as_json: AsJson = False,
) -> int:
    """Ask whether the worker, schedule or server of this machine lives and gave a sign of it lately.

    Exit code 0 where one does, else 1. `limbeck status` looks at the whole instead, from any machine.
    """
    living = _server() if part is Part.SERVER else _signs(part)
    if as_json:
        print_json({"part": part, "healthy": bool(living), "names": living})
    else:
        print(f"{', '.join(living)}: alive" if living else f"no {part} of this machine gives a sign of life")
    return 0 if living else 1


def _server() -> list[str]:
    """The address of the server that answers here."""
    from limbeck.server import address, alive
    from limbeck.services.home import Home

    url = address.read(Home.at(load().home).run)
    return [url] if url and alive.trouble(url) is None else []


def _signs(part: Part) -> list[str]:
    """The names of the living ones of this machine, as they say themselves to the queue's server."""
    from redis.exceptions import RedisError

    from limbeck.errors import QueueUnreachable
    from limbeck.services import signs
    from limbeck.services.addresses import addresses
    from limbeck.services.requirements import place
    from workers.stream import connect

    url = addresses(load()).redis_url
    key = {Part.WORKER: signs.WORKERS, Part.SCHEDULE: signs.SCHEDULES}[part]
    try:
        with connect(url, timeout=3.0) as redis:
            return signs.living_here(signs.silences(redis, key))
    except RedisError as error:
        raise QueueUnreachable(where=place(url), why=str(error).rstrip(".")) from error
