"""Look for one value in everything the demonstration wrote: files, every table, every key of the queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from limbeck.services.addresses import Addresses

CHUNK = 1 << 20


def places(value: str, folders: Iterable[Path], at: Addresses) -> dict[str, list[str]]:
    """Where ``value`` stands: kinds of store with the places found in each (none, one hopes)."""
    return {
        "files": [str(path) for folder in folders for path in _files(folder) if _holds(path, value.encode())],
        "tables": list(tables_with(value, at.owner_url)),
        "queue": list(_keys(value.encode(), at.redis_url)),
    }


def _files(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _holds(path: Path, value: bytes) -> bool:
    tail = b""
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                if value in tail + chunk:
                    return True
                tail = chunk[-len(value) :]
    except OSError:
        return False  # the server removed it meanwhile
    return False


def tables_with(value: str, url: str) -> Iterator[str]:
    """Tables with a row that holds the value; asked of the server too, since it compresses long texts in its files."""
    from sqlalchemy import create_engine, text
    from sqlalchemy.pool import NullPool

    engine = create_engine(url, poolclass=NullPool, hide_parameters=True)
    try:
        with engine.connect() as connection:
            names = connection.scalars(
                text("""
                    SELECT relname FROM pg_class
                    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
                """)
            ).all()
            for name in names:
                query = text(f'SELECT EXISTS (SELECT FROM "{name}" t WHERE strpos(t::text, :value) > 0)')  # noqa: S608
                if connection.scalar(query, {"value": value}):
                    yield name
    finally:
        engine.dispose()


def _keys(value: bytes, url: str) -> Iterator[str]:
    import redis

    with redis.Redis.from_url(url) as server:
        for key in server.scan_iter(count=1000):
            dump = server.xrange(key) if server.type(key) == b"stream" else server.dump(key)
            if value in repr(dump).encode() or value in bytes(key):
                yield key.decode()
