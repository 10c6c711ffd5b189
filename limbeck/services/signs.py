"""Signs of life: who works, in two sorted sets in Redis (names by the Unix time of their last beat).

A name is ``KIND-PID@HOST``, so that one on this machine can also be looked for among the processes.
"""

from __future__ import annotations

import contextlib
import socket
import time
from typing import cast

import psutil
from redis import Redis
from redis.exceptions import RedisError

WORKERS = "limbeck:workers"
SCHEDULES = "limbeck:schedules"
BEAT_EVERY_S = 5.0
SILENT_AFTER_S = 30.0
FORGOTTEN_AFTER_S = 3600.0


def beat(redis: Redis, key: str, name: str) -> None:
    """Say that ``name`` lives, and forget those that have been silent for an hour; a deaf server is no error."""
    now = time.time()
    with contextlib.suppress(RedisError), redis.pipeline(transaction=False) as pipe:
        pipe.zadd(key, {name: now})
        pipe.zremrangebyscore(key, "-inf", now - FORGOTTEN_AFTER_S)
        pipe.execute()


def sign_off(redis: Redis, key: str, name: str) -> None:
    """Take ``name`` out at its orderly end."""
    with contextlib.suppress(RedisError):
        redis.zrem(key, name)


def silences(redis: Redis, key: str) -> dict[str, float]:
    """Every name with the seconds since its last beat. Raises RedisError."""
    found = cast("list[tuple[bytes, float]]", redis.zrange(key, 0, -1, withscores=True))
    now = time.time()
    return {name.decode(): round(max(0.0, now - last), 1) for name, last in found}


def living_here(silent_for: dict[str, float], host: str | None = None) -> list[str]:
    """The names of this machine (``host`` where given) that beat lately and whose process is there."""
    host = host or socket.gethostname()
    return [
        name
        for name, seconds in silent_for.items()
        if seconds < SILENT_AFTER_S and name.partition("@")[2] == host and _runs(name)
    ]


def _runs(name: str) -> bool:
    pid = name.partition("@")[0].rpartition("-")[2]
    try:
        return pid.isdigit() and psutil.Process(int(pid)).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
