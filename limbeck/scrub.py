"""Below the tables: what was deleted still stands in free pages, in the write-ahead log, and in the planner's samples.

Only the owner of a database of this machine's own may clean that: the tables are written anew, the log begins a new
file and the old ones go, and the queue's file is written anew. Each table is closed to others while it is written.
"""

from __future__ import annotations

from collections.abc import Iterable

import psycopg
from psycopg import sql
from redis import Redis
from redis.exceptions import RedisError

PATIENCE = "30s"  # for a table that somebody works on
# Deleted rows of these tables stand in what is made from them as well; vectors hold no words.
DERIVED = ("search_postings", "search_stats", "search_files")
NO_WORDS = frozenset({"search_vectors"})
_SAMPLES = """
    DELETE FROM pg_catalog.pg_statistic WHERE starelid IN (
        SELECT oid FROM pg_class WHERE relname = ANY(%s)
        UNION ALL SELECT inhrelid FROM pg_inherits JOIN pg_class ON pg_class.oid = inhparent WHERE relname = ANY(%s))
"""


def database(owner_url: str, tables: Iterable[str]) -> str:
    """Clean the files below ``tables``, as the owner at ``owner_url``; return why it could not be done, else ''."""
    url = owner_url.replace("postgresql+psycopg://", "postgresql://")
    wanted = sorted({*tables, *DERIVED} - NO_WORDS)
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SELECT set_config('lock_timeout', %s, false)", [PATIENCE])
            connection.execute(
                _SAMPLES, [wanted, wanted]
            )  # of a table that is empty by now, nobody takes new ones
            for table in wanted:
                connection.execute(sql.SQL("VACUUM (FULL, ANALYZE) {}").format(sql.Identifier(table)))
            connection.execute("VACUUM FULL pg_catalog.pg_statistic")
            _new_log(connection)
    except psycopg.Error as error:
        return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return ""


def queue(redis_url: str) -> str:
    """Have the queue write its file anew; return why it could not, else ''."""
    try:
        with Redis.from_url(redis_url, socket_timeout=5.0) as server:
            server.bgrewriteaof()
    except RedisError as error:
        return str(error)
    return ""


def _new_log(connection: psycopg.Connection) -> None:
    """Begin a new file of the write-ahead log and let the old ones go: they would be kept and used again otherwise."""
    try:
        connection.execute("ALTER SYSTEM SET wal_recycle = off")
        connection.execute("SELECT pg_reload_conf()")
        # Files that were set aside for later before the setting was read are begun, and so overwritten, too.
        row = connection.execute("SELECT count(*) FROM pg_ls_waldir()").fetchone()
        for _ in range(2 + (row[0] if row else 0)):
            connection.execute("SELECT pg_switch_wal()")
            connection.execute("CHECKPOINT")
    finally:
        connection.execute("ALTER SYSTEM RESET wal_recycle")
        connection.execute("SELECT pg_reload_conf()")
