"""Where the database and the queue are: the embedded ones of a home, or the ones the settings name."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote

from limbeck.services.home import Home
from limbeck.services.postgres import APPLICATION, DATABASE, OWNER
from limbeck.settings import Settings


@dataclass(frozen=True, slots=True)
class Addresses:
    """URLs as SQLAlchemy and redis-py read them. They may hold passwords, so they do not show in ``repr``."""

    database_url: str = field(repr=False)
    owner_url: str = field(repr=False)
    redis_url: str = field(repr=False)


def addresses(settings: Settings, home: Home | None = None) -> Addresses:
    """The addresses for ``settings``; asking for them neither starts nor connects anything."""
    home = home or Home.at(settings.home)
    folder = quote(str(home.sockets), safe="/")
    return Addresses(
        database_url=settings.database_url or f"postgresql+psycopg://{APPLICATION}@/{DATABASE}?host={folder}",
        owner_url=settings.database_owner_url
        or settings.database_url
        or f"postgresql+psycopg://{OWNER}@/{DATABASE}?host={folder}",
        redis_url=settings.redis_url or f"unix://{folder}/queue",
    )
