"""What the benchmark of ingest runs against: servers of its own, worker processes, and a feeder that never floods."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psutil

from capture.queue import stream_key
from limbeck.bench.folders import scratch_folder
from limbeck.bench.scratch import scratch_queue, scratch_server
from limbeck.services.postgres import APPLICATION, Postgres
from limbeck.services.program import python_command
from limbeck.services.valkey import Valkey
from limbeck.services.worker import WORKERS, Worker
from schema.database import Database
from workers.stream import Stream, connect

CLIENT = "bench"
WAITING = 6000  # the feeder keeps the backlog below this
PORTION = 500


@dataclass(slots=True)
class World:
    """Both servers and the stream of one client."""

    postgres: Postgres
    valkey: Valkey
    database: Database
    stream: Stream
    workers: list[subprocess.Popen[str]] = field(default_factory=list)

    def feed(self, events: Sequence[bytes], rate: float | None = None) -> list[float]:
        """Append ``events`` (at most ``rate`` a second); return when each was answered, in monotonic seconds."""
        key = stream_key(CLIENT)
        answered: list[float] = []
        portion = PORTION if rate is None else max(1, round(rate / 100))
        start = time.monotonic()
        for at in range(0, len(events), portion):
            if rate is not None:
                time.sleep(max(0.0, start + at / rate - time.monotonic()))
            while rate is None and self.stream.waiting() > WAITING:
                self._look()
            with self.stream.redis.pipeline(transaction=False) as pipe:
                for event in events[at : at + portion]:
                    pipe.xadd(key, {"e": event})
                pipe.execute()
            answered += [time.monotonic()] * len(events[at : at + portion])
        return answered

    def emptied(self) -> None:
        """Wait until everything is stored and acknowledged."""
        while self.stream.waiting():
            self._look()

    def _look(self) -> None:
        if any(worker.poll() is not None for worker in self.workers):
            raise RuntimeError("a worker of the benchmark ended")
        time.sleep(0.005)

    def start(self, count: int) -> None:
        """Start ``count`` fresh worker processes, their caches cold, and wait until they are at work."""
        told = {"database": self.postgres.url(APPLICATION), "redis": self.valkey.url(), "client": CLIENT}
        for _ in range(count):
            worker = subprocess.Popen(
                python_command("limbeck.bench.ingest_worker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            self.workers.append(worker)
            if worker.stdin is not None and worker.stdout is not None:
                worker.stdin.write(json.dumps(told) + "\n")
                worker.stdin.flush()
                worker.stdout.readline()

    def stop(self) -> list[dict[str, Any]]:
        """End the workers and return what each says."""
        said = [json.loads(worker.communicate("stop\n")[0].strip() or "{}") for worker in self.workers]
        self.workers.clear()
        return said

    def processor(self) -> dict[str, float]:
        """Seconds of processor time so far: the workers, Postgres, the queue."""
        postmaster = self.postgres.running()
        valkey = self.valkey.running()
        return {
            "workers": sum(_seconds(psutil.Process(worker.pid)) for worker in self.workers),
            "postgres": _tree(postmaster) if postmaster else 0.0,
            "queue": _seconds(valkey) if valkey else 0.0,
        }

    def memory(self) -> float:
        """MiB that the largest worker holds now."""
        return max(psutil.Process(worker.pid).memory_info().rss for worker in self.workers) / 1024**2


@contextmanager
def product(ready: World, processes: int) -> Iterator[None]:
    """The product's own worker, as ``limbeck up`` runs it, on the world's servers."""
    with scratch_folder() as folder:
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LIMBECK_HOME": str(folder / "home"),
            "LIMBECK_CLIENT": CLIENT,
            "LIMBECK_DATABASE_URL": ready.postgres.url(APPLICATION),
            "LIMBECK_REDIS_URL": ready.valkey.url(),
            "LIMBECK_WORKER_PROCESSES": str(processes),
        }
        worker = Worker(folder / "ready", folder / "worker.log", environment, WORKERS["worker"])
        worker.start()
        try:
            yield
        finally:
            worker.stop()


@contextmanager
def world() -> Iterator[World]:
    """Start both servers, and end everything afterwards."""
    with scratch_server() as postgres, scratch_queue() as valkey:
        database, redis = Database(postgres.url(APPLICATION)), connect(valkey.url())
        database.add_client(CLIENT)
        stream = Stream(redis, CLIENT)
        stream.prepare()
        ready = World(postgres, valkey, database, stream)
        try:
            yield ready
        finally:
            for worker in ready.workers:
                worker.kill()
                worker.communicate()
            redis.close()
            database.close()


def _seconds(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system)


def _tree(root: psutil.Process) -> float:
    """A server's time with that of its living and its ended children."""
    used = root.cpu_times()
    total = float(used.user + used.system + used.children_user + used.children_system)
    for child in root.children(recursive=True):
        try:
            total += _seconds(child)
        except psutil.Error:
            continue
    return total
